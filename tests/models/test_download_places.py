"""Where downloads go: below the models folder, whatever names a stranger gave."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.models.download_places import model_folder, target_of, targets_of
from app.models.hub import RemoteFile
from app.models.hub_problems import HubError, HubProblem
from tests.fakes.scripted_transfer import request_for

MODELS = Path("/somewhere/models")
FOLDER = MODELS / "publisher" / "model"


def remote(path: str) -> RemoteFile:
    return RemoteFile(path, 1, None)


def target(*paths: str) -> Path:
    """Where the first of the files goes."""
    return target_of(FOLDER, remote(paths[0]), [remote(path) for path in paths])


class TestFolders:
    def test_a_repository_has_a_folder_in_its_publishers(self) -> None:
        assert model_folder(MODELS, "publisher/model") == FOLDER

    def test_an_old_one_without_a_publisher_has_its_own(self) -> None:
        assert model_folder(MODELS, "gpt2") == MODELS / "gpt2"

    @pytest.mark.parametrize(
        "repo", ["", "/", "a/", "/b", "a//b", "a/b/c", "../b", "a/..", "C:/b", "a\\b/c", "a/b.", "con/b"]
    )
    def test_anything_else_is_refused(self, repo: str) -> None:
        with pytest.raises(HubError) as caught:
            model_folder(MODELS, repo)
        assert caught.value.problem is HubProblem.BAD_NAME


class TestFiles:
    def test_a_file_keeps_its_name(self) -> None:
        assert target("Model-Q4_K_M.gguf") == FOLDER / "Model-Q4_K_M.gguf"

    def test_folders_of_the_repository_are_left_out(self) -> None:
        assert target("Q4_K_M/m-00001-of-00002.gguf", "Q4_K_M/m-00002-of-00002.gguf") == (
            FOLDER / "m-00001-of-00002.gguf"
        )

    @pytest.mark.parametrize("other", ["b/m.gguf", "b/M.GGUF", "m.gguf"])
    def test_unless_two_files_would_be_one(self, other: str) -> None:
        assert target("a/m.gguf", other) == FOLDER / "a" / "m.gguf"
        assert target(other, "a/m.gguf") == FOLDER / other

    def test_two_spellings_of_one_letter_are_one_name(self) -> None:
        assert target("a/é.gguf", "b/e\u0301.gguf") == FOLDER / "a" / "é.gguf"

    @pytest.mark.parametrize(
        "name",
        [
            "モデル　é 模型 - test.gguf",
            "नमूना\u200d.gguf",
            "🦙.gguf",
            "a b.gguf",
            "console.gguf",
            "com10.gguf",
            "~.gguf",
        ],
    )
    def test_names_of_any_script_are_used(self, name: str, tmp_path: Path) -> None:
        made = target_of(tmp_path, remote(name), [remote(name)])
        assert made == tmp_path / name
        made.touch()

    @pytest.mark.parametrize(
        "name",
        [
            "",
            "..",
            "../m.gguf",
            "a/../m.gguf",
            "./m.gguf",
            "/etc/m.gguf",
            "a//m.gguf",
            "a/",
            "..\\m.gguf",
            "a\\m.gguf",
            "C:m.gguf",
            "m.gguf:stream",
            "m\0.gguf",
            "m\n.gguf",
            "m\x7f.gguf",
            "m\u202efugg.gguf",
            "m\u2066.gguf",
            "m\u200b.gguf",
            "m\ud800.gguf",
            "m?.gguf",
            "m*.gguf",
            '"m".gguf',
            "<m>.gguf",
            "m|.gguf",
            "m.gguf.",
            "m.gguf ",
            ".m.gguf",
            "con",
            "NUL.gguf",
            "aux .gguf",
            "a/com1.gguf",
            "LPT¹.gguf",
            "conin$",
            "m" * 300 + ".gguf",
            "模" * 80 + ".gguf",
        ],
    )
    def test_names_that_lead_elsewhere_or_cannot_be_are_refused(self, name: str) -> None:
        with pytest.raises(HubError) as caught:
            target(name)
        assert caught.value.problem is HubProblem.BAD_NAME
        assert str(caught.value).isprintable()
        assert len(str(caught.value)) < 500

    def test_a_refusal_says_why(self) -> None:
        with pytest.raises(
            HubError, match=r"“a:b.gguf” cannot be the name of a file on this computer: it has : in it"
        ):
            target("a:b.gguf")

    @given(st.text(), st.text())
    def test_nothing_leads_out_of_the_folder(self, repo: str, name: str) -> None:
        try:
            made = target_of(model_folder(MODELS, repo), remote(name), [remote(name)])
        except HubError:
            return
        assert made.is_relative_to(MODELS)
        assert ".." not in made.parts
        assert len(made.parts) > len(MODELS.parts) + 1

    def test_all_files_of_a_request(self) -> None:
        request = request_for("x/m-00001-of-00002.gguf", "x/m-00002-of-00002.gguf", folder=FOLDER)
        assert targets_of(request) == (FOLDER / "m-00001-of-00002.gguf", FOLDER / "m-00002-of-00002.gguf")
