"""How the text of answers looks, as formats of Qt's documents in a theme's colours."""

from PySide6.QtGui import QFont, QTextBlockFormat, QTextCharFormat, QTextFormat, QTextListFormat

from app.ui.draft_marks import mark_format
from app.ui.markdown_parts import BlockKind, Marker, Place, Run, Style, TextBlock
from app.ui.theme import Theme

LINE_HEIGHT = 21  # pixels
CODE_LINE_HEIGHT = 19
LIST_INDENT = 24
QUOTE_INDENT = 16
PARAGRAPH_GAP = 10
ITEM_GAP = 4
HEADING_GAP = 18
QUOTE_DEPTH = QTextFormat.Property.UserProperty.value + 1  # of a block format
RULE = QUOTE_DEPTH + 1  # the same
WRITTEN = QUOTE_DEPTH + 2  # the same; the block behind a table that Qt makes has it not

_HEADING_SIZES = (20, 15, 15, 13, 13, 13)
_BULLETS = (
    QTextListFormat.Style.ListDisc,
    QTextListFormat.Style.ListCircle,
    QTextListFormat.Style.ListSquare,
)


class TextFormats:
    """Makes formats; made anew for another theme."""

    def __init__(self, theme: Theme, behind: str = "window") -> None:
        """`behind` is the role of the colour that text stands on."""
        self._colours = theme.colours
        self._mono = theme.mono_font(12).families() or [theme.mono_font(12).family()]
        self.mark = mark_format(theme.colours, getattr(theme.colours, behind))
        self.code_mark = mark_format(theme.colours, theme.colours.code)
        self._known: dict[tuple[Style, str, bool], QTextCharFormat] = {}

    def characters(self, run: Run, quoted: bool) -> QTextCharFormat:
        """For a run of a paragraph."""
        key = (run.style, run.link, quoted)
        made = self._known.get(key)
        if made is None:
            made = self._known[key] = self._characters(run, quoted)
        return made

    def _characters(self, run: Run, quoted: bool) -> QTextCharFormat:
        made = QTextCharFormat()
        if quoted:
            made.setForeground(self._colours.muted)
        if run.style & Style.BOLD:
            made.setFontWeight(QFont.Weight.DemiBold)
        if run.style & Style.ITALIC:
            made.setFontItalic(True)
        if run.style & Style.STRUCK:
            made.setFontStrikeOut(True)
        if run.style & Style.CODE:
            made.setFontFamilies(self._mono)
            made.setProperty(QTextFormat.Property.FontPixelSize, 12)
            made.setBackground(self._colours.raised)
        if run.link:
            made.setAnchor(True)
            made.setAnchorHref(run.link)
            made.setForeground(self._colours.accent)
            made.setFontUnderline(True)
        return made

    def heading(self, level: int) -> QTextCharFormat:
        """On top of a run's own."""
        made = QTextCharFormat()
        made.setProperty(QTextFormat.Property.FontPixelSize, _HEADING_SIZES[level - 1])
        made.setFontWeight(QFont.Weight.DemiBold)
        return made

    def marker(self) -> QTextCharFormat:
        """For the bullet or number of an item."""
        made = QTextCharFormat()
        made.setForeground(self._colours.muted)
        return made

    def block(self, block: TextBlock) -> QTextBlockFormat:
        """For a paragraph, a heading or a rule."""
        made = self._placed(block.place)
        made.setTopMargin(gap_above(block))
        heading = block.kind is BlockKind.HEADING
        height = round(_HEADING_SIZES[block.level - 1] * 1.4) if heading else LINE_HEIGHT
        made.setLineHeight(height, QTextBlockFormat.LineHeightTypes.MinimumHeight.value)
        if block.kind is BlockKind.RULE:
            made.setLineHeight(1, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
            made.setProperty(RULE, True)
        number = block.marker.number if block.marker else None
        if number is not None and number > 99:
            made.setLeftMargin(made.leftMargin() + 8 * (len(str(number)) - 2))
        return made

    def list_item(self, marker: Marker, place: Place) -> QTextListFormat:
        """For the bullet or number."""
        made = QTextListFormat()
        made.setIndent(0)
        if marker.number is None:
            made.setStyle(_BULLETS[(place.lists - 1) % len(_BULLETS)])
        else:
            made.setStyle(QTextListFormat.Style.ListDecimal)
            made.setStart(marker.number)
        return made

    def _placed(self, place: Place) -> QTextBlockFormat:
        made = QTextBlockFormat()
        made.setProperty(WRITTEN, True)
        made.setIndent(place.lists)
        if place.quotes:
            made.setLeftMargin(QUOTE_INDENT * place.quotes)
            made.setProperty(QUOTE_DEPTH, place.quotes)
        return made


def gap_above(block: TextBlock) -> int:
    """How far a block keeps from what is above it, in pixels."""
    if block.kind is BlockKind.HEADING:
        return HEADING_GAP
    if block.kind is BlockKind.RULE:
        return HEADING_GAP - 4
    if block.kind is BlockKind.LINE:
        return 0
    return ITEM_GAP if block.in_item else PARAGRAPH_GAP
