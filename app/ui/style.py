"""The style sheet of the application, made from a theme's colours.

Widgets ask for a look through dynamic properties (`kind`, `tone`, `text_size`, `card`), set by the helpers of
`app.ui.widgets`; nothing else sets a style sheet.
"""

from app.ui.colours import Colours, css

_TONES = ("muted", "faint", "accent", "warning", "bad", "good")

_SHEET = """
QToolTip {{ background: {raised}; color: {text}; border: 1px solid {line}; padding: 4px 8px; }}
QMainWindow, QDialog {{ background: {window}; }}
QScrollArea, QStackedWidget {{ background: transparent; border: 0; }}
QScrollArea > QWidget > QWidget#scroll_content {{ background: transparent; }}

QFrame[card="true"] {{ background: {panel}; border: 1px solid {line}; border-radius: 12px; }}
QFrame[panel="true"], QWidget[panel="true"] {{ background: {panel}; border: 0; }}
QFrame[notice="warning"] {{ background: {warning_soft}; border: 1px solid {line}; border-radius: 8px; }}
QFrame[notice="bad"] {{ background: {bad_soft}; border: 1px solid {line}; border-radius: 8px; }}
QFrame[notice="text"], QFrame[notice="accent"], QFrame[notice="good"] {{ background: {accent_soft};
  border: 1px solid {line}; border-radius: 8px; }}
QFrame[hairline="true"] {{ background: {line}; border: 0; }}
QLabel {{ background: transparent; }}
QLabel[tag="true"] {{ background: {raised}; color: {muted}; border-radius: 6px; padding: 1px 7px;
  font-size: 11px; }}
QLabel[tag="true"][tone="accent"] {{ background: {accent_soft}; color: {accent}; }}
QLabel[tag="true"][tone="warning"] {{ background: {warning_soft}; color: {warning}; }}
QLabel[tag="true"][tone="bad"] {{ background: {bad_soft}; color: {bad}; }}
QLabel[text_size="small"] {{ font-size: 12px; }}
QLabel[text_size="heading"] {{ font-size: 15px; font-weight: 600; }}
QLabel[text_size="title"] {{ font-size: 20px; font-weight: 600; }}
QLabel[strong="true"] {{ font-weight: 600; }}

QPushButton, QToolButton {{ background: {raised}; border: 1px solid {line}; border-radius: 8px;
  padding: 0 14px; min-height: 30px; max-height: 30px; }}
QPushButton[small="true"], QToolButton[small="true"] {{ padding: 0 10px; min-height: 26px;
  max-height: 26px; }}
QPushButton:hover, QToolButton:hover {{ border-color: {faint}; }}
QPushButton:pressed, QToolButton:pressed {{ background: {line}; }}
QPushButton:disabled, QToolButton:disabled {{ color: {faint}; background: {raised}; border-color: {line}; }}
QPushButton:focus, QToolButton:focus {{ border: 1px solid {accent}; }}
QPushButton:checked, QToolButton:checked {{ background: {accent}; color: {accent_text};
  border-color: transparent; }}
QPushButton[kind="primary"] {{ background: {accent}; color: {accent_text}; border-color: transparent;
  font-weight: 600; }}
QPushButton[kind="primary"]:hover {{ border-color: {text}; }}
QPushButton[kind="primary"]:focus {{ border-color: {text}; }}
QPushButton[kind="primary"]:disabled {{ background: {raised}; color: {faint}; border-color: {line}; }}
QPushButton[kind="danger"] {{ color: {bad}; }}
QPushButton[kind="quiet"], QToolButton[kind="quiet"] {{ background: transparent; border-color: transparent;
  color: {muted}; }}
QPushButton[kind="quiet"]:hover, QToolButton[kind="quiet"]:hover {{ background: {raised}; color: {text}; }}
QPushButton[kind="quiet"]:focus, QToolButton[kind="quiet"]:focus {{ border: 1px solid {accent}; }}
QPushButton[kind="quiet"]:disabled, QToolButton[kind="quiet"]:disabled {{ color: {faint};
  background: transparent;
  border-color: transparent; }}
QPushButton[kind="tab"] {{ background: transparent; border-color: transparent; color: {muted}; }}
QPushButton[kind="tab"]:hover {{ color: {text}; }}
QPushButton[kind="tab"]:checked {{ background: {raised}; color: {text}; }}
QPushButton[kind="tab"]:focus {{ border: 1px solid {accent}; }}
QToolButton[status="true"] {{ background: transparent; border: 1px solid transparent; border-radius: 6px;
  color: {muted}; font-size: 12px; padding: 0 8px; min-height: 20px; max-height: 20px; }}
QToolButton[status="true"]:hover {{ background: {raised}; color: {text}; }}
QToolButton[status="true"]:focus {{ border-color: {accent}; }}
QLineEdit QToolButton {{ background: transparent; border: 0; padding: 0; min-height: 0; }}
QFileDialog {{ backward-icon: url("{pictures}back.svg"); forward-icon: url("{pictures}forward.svg");
  filedialog-parent-directory-icon: url("{pictures}up.svg"); }}
QFileDialog QToolButton {{ padding: 0; min-width: 30px; max-width: 30px; }}
QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
QToolButton[square="true"] {{ padding: 0; min-width: 30px; max-width: 30px; }}
QToolButton[square="true"][small="true"] {{ min-width: 26px; max-width: 26px; }}
QFrame[rail="true"] {{ background: {window}; border: 0; border-right: 1px solid {line}; }}
QToolButton[rail="true"] {{ background: transparent; border: 1px solid transparent; color: {muted};
  font-size: 10px;
  padding: 6px 0 4px 0; min-width: 54px; max-width: 54px; min-height: 40px; max-height: 40px; }}
QToolButton[rail="true"]:hover {{ background: {raised}; color: {text}; }}
QToolButton[rail="true"]:checked {{ background: {accent_soft}; color: {accent}; }}
QToolButton[rail="true"]:focus {{ border-color: {accent}; }}
QToolButton[pill="true"] {{ padding: 0 12px; }}
QToolButton[pill="true"][strong="true"] {{ font-weight: 600; }}
QFrame[popup="true"] {{ background: {panel}; border: 1px solid {line}; border-radius: 8px; }}
QListView[picker="true"]::item {{ border-radius: 6px; color: {text}; }}
QListView[picker="true"]::item:selected {{ background: {accent_soft}; color: {text}; }}
QListView[picker="true"]::item:hover {{ background: {raised}; }}
QToolButton::menu-indicator, QPushButton::menu-indicator {{ image: none; width: 0; }}

QLineEdit, QAbstractSpinBox, QComboBox {{ background: {field}; border: 1px solid {line}; border-radius: 8px;
  padding: 0 10px; min-height: 30px; max-height: 30px; selection-background-color: {accent};
  selection-color: {accent_text}; }}
QLineEdit[large="true"], QComboBox[large="true"], QPushButton[large="true"] {{ min-height: 38px;
  max-height: 38px; }}
QLineEdit[small="true"], QAbstractSpinBox[small="true"], QComboBox[small="true"] {{ min-height: 26px;
  max-height: 26px; }}
QLineEdit:focus, QAbstractSpinBox:focus, QComboBox:focus, QPlainTextEdit:focus {{ border-color: {accent}; }}
QLineEdit:disabled, QAbstractSpinBox:disabled, QComboBox:disabled, QPlainTextEdit:disabled {{
  color: {faint}; }}
QLineEdit[invalid="true"], QAbstractSpinBox[invalid="true"] {{ border-color: {bad}; }}
QAbstractSpinBox QLineEdit {{ background: transparent; border: 0; padding: 0 8px; min-height: 0; }}
QComboBox QLineEdit {{ background: transparent; border: 0; padding: 0; min-height: 0; }}
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ width: 0; border: 0; }}
QComboBox::drop-down {{ border: 0; width: 24px; }}
QComboBox::down-arrow {{ image: url("{pictures}chevron.svg"); width: 12px; height: 12px; }}
QComboBox QAbstractItemView {{ background: {panel}; border: 1px solid {line}; padding: 4px; outline: 0;
  selection-background-color: {accent_soft}; selection-color: {text}; }}
QPlainTextEdit, QTextEdit {{ background: {field}; border: 1px solid {line}; border-radius: 8px;
  padding: 6px 8px;
  selection-background-color: {accent}; selection-color: {accent_text}; }}
QPlainTextEdit[bare="true"], QTextEdit[bare="true"] {{ background: transparent; border: 0; padding: 0; }}

QCheckBox, QRadioButton {{ spacing: 8px; background: transparent; }}
QCheckBox::indicator, QRadioButton::indicator {{ width: 16px; height: 16px; border: 1px solid {faint};
  border-radius: 5px; background: {field}; }}
QCheckBox::indicator:checked {{ background: {accent}; border-color: {accent};
  image: url("{pictures}tick.svg"); }}
QRadioButton::indicator {{ border-radius: 9px; }}
QRadioButton::indicator:checked {{ width: 8px; height: 8px; background: {accent};
  border: 5px solid {accent_soft};
  border-radius: 9px; }}
QCheckBox::indicator:focus, QRadioButton::indicator:focus {{ border-color: {accent}; }}

QSlider::groove:horizontal {{ height: 4px; border-radius: 2px; background: {line}; }}
QSlider::sub-page:horizontal {{ height: 4px; border-radius: 2px; background: {accent}; }}
QSlider::handle:horizontal {{ width: 14px; height: 14px; margin: -6px 0; border-radius: 8px;
  background: {knob};
  border: 1px solid {line}; }}
QSlider::handle:horizontal:focus {{ border-color: {accent}; }}
QProgressBar {{ background: {raised}; border: 0; border-radius: 4px; min-height: 8px; max-height: 8px; }}
QProgressBar::chunk {{ background: {accent}; border-radius: 4px; }}

QAbstractItemView {{ background: transparent; border: 0; outline: 0;
  selection-background-color: {accent_soft};
  selection-color: {text}; }}
QHeaderView::section {{ background: transparent; color: {muted}; border: 0; border-bottom: 1px solid {line};
  padding: 8px 12px; font-size: 12px; font-weight: 500; }}
QMenu {{ background: {panel}; border: 1px solid {line}; padding: 4px; }}
QMenu::item {{ padding: 6px 24px 6px 12px; border-radius: 6px; }}
QMenu::item:selected {{ background: {accent_soft}; color: {text}; }}
QMenu::item:disabled {{ color: {faint}; }}
QMenu::separator {{ height: 1px; background: {line}; margin: 4px 8px; }}

QScrollBar:vertical {{ background: transparent; width: 10px; margin: 2px; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 2px; }}
QScrollBar::handle {{ background: {line}; border-radius: 3px; }}
QScrollBar::handle:vertical {{ min-height: 32px; }}
QScrollBar::handle:horizontal {{ min-width: 32px; }}
QScrollBar::handle:hover {{ background: {faint}; }}
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page {{
  background: transparent;
  border: 0; width: 0; height: 0; }}
"""


def style_sheet(colours: Colours, pictures: str) -> str:
    """The whole sheet. `pictures` is how the paths of the pictures in the theme's colours begin."""
    named = {role: css(getattr(colours, role)) for role in Colours.__struct_fields__}
    tones = "\n".join(f'QLabel[tone="{tone}"] {{ color: {named[tone]}; }}' for tone in _TONES)
    return _SHEET.format(**named, pictures=pictures) + tones
