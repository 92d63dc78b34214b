"""Which model something was measured with."""

from pathlib import Path

from msgspec.structs import replace

from app.core.experiment import ModelIdentity
from app.ui.identities import identity_of, is_model
from tests.fakes.compare_services import OTHER_DRAFT
from tests.fakes.local_models import local_model
from tests.fakes.setups import DRAFT


def test_a_model_is_known_by_its_file_and_size() -> None:
    identity = identity_of(DRAFT)
    assert identity == ModelIdentity(
        DRAFT.name, DRAFT.info.quantisation, DRAFT.path.name, DRAFT.info.total_bytes
    )
    assert is_model(DRAFT, identity)
    assert is_model(DRAFT, replace(identity, name="renamed", header_digest="ab" * 32))
    assert not is_model(OTHER_DRAFT, identity)
    assert not is_model(DRAFT, replace(identity, size_bytes=1))


def test_a_name_that_no_screen_can_show_is_known_as_it_is_shown() -> None:
    """What is stored has printable names alone."""
    odd = local_model("Odd", path=Path("/models/o\ndd\udce9.gguf"))
    identity = identity_of(odd)
    assert identity.file == "o\ufffddd\ufffd.gguf"
    assert is_model(odd, identity)
