"""llama.cpp's words for a refused file, as failures."""

from pathlib import Path

from app.core.errors import FileProblem, LoadError, ModelFileError
from app.engine.load_failure import load_failure

PATH = Path("models", "some.gguf")


def test_an_unknown_architecture_is_named() -> None:
    log = ("llama_model_load: error loading model: unknown model architecture: 'mystery'", "failed to load")
    found = load_failure(PATH, log)
    assert isinstance(found, ModelFileError)
    assert found.problem is FileProblem.UNKNOWN_ARCHITECTURE
    assert "some.gguf has the architecture “mystery”" in str(found)


def test_any_other_reason_is_given_in_the_librarys_words() -> None:
    log = ("print_info: file", "llama_model_load: error loading model: missing tensor 'output_norm.weight'")
    found = load_failure(PATH, log)
    assert isinstance(found, LoadError)
    assert str(found) == "llama.cpp could not load some.gguf: missing tensor 'output_norm.weight'."
    assert found.log == log


def test_no_reason_is_said_to_be_none() -> None:
    assert "no reason" in str(load_failure(PATH, ()))
