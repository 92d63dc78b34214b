"""Where downloads go: below the models folder, whatever names a stranger gave."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.models.download import DownloadRequest
from app.models.download_places import model_folder, remove_empty_folders, target_of, targets_of
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

    @pytest.mark.parametrize(
        ("path", "name"),
        [
            ("Q4/model.gguf", "model-Q4.gguf"),
            ("Q8/model.gguf", "model-Q8.gguf"),
            ("v1.5/Q4/model.v2.gguf", "model.v2-v1.5-Q4.gguf"),
            ("Q8_0/m-00001-of-00002.gguf", "m-Q8_0-00001-of-00002.gguf"),
            ("Q4/README", "README-Q4"),
        ],
    )
    def test_a_folder_of_the_repository_becomes_part_of_the_name(self, path: str, name: str) -> None:
        assert target(path) == FOLDER / name

    @pytest.mark.parametrize(
        "path",
        ["Q4_K_M/m-Q4_K_M-00001-of-00002.gguf", "q4_k_m/m.Q4_K_M.gguf", "gguf/m.gguf", "Q4/m-Q4_K_M.gguf"],
    )
    def test_unless_it_is_there_already(self, path: str) -> None:
        assert target(path) == FOLDER / path.split("/")[1]

    @pytest.mark.parametrize(("folder", "name"), [("4", "m-Q4-4.gguf"), ("g", "m-Q4-g.gguf")])
    def test_a_letter_of_a_word_does_not_count(self, folder: str, name: str) -> None:
        assert target(f"{folder}/m-Q4.gguf") == FOLDER / name

    @pytest.mark.parametrize("other", ["m-a.gguf", "m-A.GGUF", "a/m-a.gguf"])
    def test_folders_are_made_where_two_files_would_be_one(self, other: str) -> None:
        assert target("a/m.gguf", other) == FOLDER / "a" / "m.gguf"
        assert target(other, "a/m.gguf") == FOLDER / other

    def test_two_spellings_of_one_letter_are_one_name(self) -> None:
        assert target("a/é.gguf", "e\u0301-a.gguf") == FOLDER / "a" / "é.gguf"

    def test_a_name_that_its_folder_makes_too_long(self) -> None:
        with pytest.raises(HubError, match="it is too long"):
            target(f"{'f' * 100}/{'m' * 200}.gguf")

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
        assert targets_of(request) == (FOLDER / "m-x-00001-of-00002.gguf", FOLDER / "m-x-00002-of-00002.gguf")

    def test_a_path_that_is_too_long_for_the_system(self) -> None:
        request = request_for("a.gguf", "b🦙.gguf", folder=FOLDER)
        longest = len(f"{FOLDER / 'b..'}.gguf.part.json.new")  # that animal counts twice
        assert len(targets_of(request, longest)) == 2
        with pytest.raises(HubError) as caught:
            targets_of(request, longest - 1)
        assert caught.value.problem is HubProblem.BAD_NAME
        assert f"would have {longest} characters" in str(caught.value)
        assert "Choose a models folder with a shorter path" in str(caught.value)


def test_only_folders_of_the_repository_that_hold_nothing_are_removed(tmp_path: Path) -> None:
    def request(folder: Path) -> DownloadRequest:
        return DownloadRequest("publisher/model", "c0ffee", (RemoteFile("m.gguf", 1, None),), folder, "M")

    made = model_folder(tmp_path, "publisher/model")
    made.mkdir(parents=True)
    (made.parent / "other.txt").touch()
    remove_empty_folders(request(made))
    assert [path.name for path in (tmp_path / "publisher").iterdir()] == ["other.txt"]
    chosen = tmp_path / "chosen"
    chosen.mkdir()
    remove_empty_folders(request(chosen))
    assert chosen.exists(), "it was somebody's choice"
