"""Which field each problem of an option struct belongs to."""

from typing import Protocol, TypeVar

from msgspec import Struct, structs


class Checked(Protocol):
    """An option struct: all fields have defaults, and `problems` names what does not hold together."""

    def problems(self) -> list[str]: ...


Options = TypeVar("Options", bound=Checked)


class Problems(Struct, frozen=True):
    """Sentences by the field whose value alone is at fault; `joint` are those of several values together."""

    by_field: dict[str, tuple[str, ...]]
    joint: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.by_field or self.joint)


def problems_of(options: Options) -> Problems:
    """Each problem once. A field is at fault if its value is refused among defaults alone."""
    left = options.problems()
    by_field: dict[str, tuple[str, ...]] = {}
    if not left:
        return Problems(by_field, ())
    assert isinstance(options, Struct)
    defaults = type(options)()
    for field in structs.fields(options):
        value = getattr(options, field.name)
        alone = structs.replace(defaults, **{field.name: value}).problems()
        found = tuple(sentence for sentence in alone if sentence in left)
        if found:
            by_field[field.name] = found
            left = [sentence for sentence in left if sentence not in found]
    return Problems(by_field, tuple(left))


def sentence(problem: str) -> str:
    """A problem as a sentence of its own."""
    return f"{problem[:1].upper()}{problem[1:]}."
