"""The files of a repository as rows: what may be taken, how much it is, and what it is called."""

import pytest

from app.models import hub_files
from app.models.hub import RemoteFile, RemoteModel
from app.models.hub_files import SortedFiles, quantisation_of, sort_files


def sort(**sizes: int) -> SortedFiles:
    return sort_files(RemoteFile(path, size, None) for path, size in sizes.items())


def names(rows: tuple[RemoteModel, ...]) -> list[list[str]]:
    return [[file.path for file in row.files] for row in rows]


class TestQuantisations:
    @pytest.mark.parametrize(
        ("path", "quantisation"),
        [
            ("Llama-3.2-1B-Instruct-Q4_K_M.gguf", "Q4_K_M"),
            ("mistral-7b-instruct-v0.2.Q5_K_S.gguf", "Q5_K_S"),
            ("qwen2.5-0.5b-instruct-q8_0.gguf", "Q8_0"),
            ("Model-IQ3_XXS.gguf", "IQ3_XXS"),
            ("Model-IQ4_NL.gguf", "IQ4_NL"),
            ("Model.i1-IQ1_M.gguf", "IQ1_M"),
            ("Model-UD-Q4_K_XL.gguf", "UD-Q4_K_XL"),
            ("Model-UD-TQ1_0.gguf", "UD-TQ1_0"),
            ("Model-BF16.gguf", "BF16"),
            ("model-f16.gguf", "F16"),
            ("model.fp16.gguf", "F16"),
            ("model_F32.gguf", "F32"),
            ("gpt-oss-20b-MXFP4.gguf", "MXFP4"),
            ("Model-MXFP4_MOE.gguf", "MXFP4_MOE"),
            ("Model-Q4_0_4_4.gguf", "Q4_0_4_4"),
            ("Model-Q6_K_L.gguf", "Q6_K_L"),
            ("Model-Q4_K_M-imat.gguf", "Q4_K_M"),
            ("Model-Q4_K_M_imatrix.gguf", "Q4_K_M"),
            ("phi-3-mini-4k-instruct-q4.gguf", "Q4"),
            ("Model-Q4_K_M-00001-of-00003.gguf", "Q4_K_M"),
            ("Q4_K_M/model-00001-of-00003.gguf", "Q4_K_M"),
            ("BF16/Model-Q8_0/part.gguf", "Q8_0"),
            ("f16-to-Q2_K.gguf", "Q2_K"),
            ("Qwen2.5-7B.gguf", ""),
            ("model.gguf", ""),
            ("SEQ4_K.gguf", ""),
            ("Q42.gguf", ""),
        ],
    )
    def test_are_read_from_the_name_or_its_folders(self, path: str, quantisation: str) -> None:
        assert quantisation_of(path) == quantisation


class TestRows:
    def test_are_sorted_from_small_to_large(self) -> None:
        found = sort(**{"m-Q8_0.gguf": 80, "m-Q2_K.gguf": 20, "m-Q4_K_M.gguf": 40, "a-Q4_K_M.gguf": 40})

        assert [row.files[0].path for row in found.models] == [
            "m-Q2_K.gguf",
            "a-Q4_K_M.gguf",
            "m-Q4_K_M.gguf",
            "m-Q8_0.gguf",
        ]

    def test_a_split_set_is_one_row_in_the_order_of_its_parts(self) -> None:
        found = sort(
            **{
                "Q8_0/m-00002-of-00003.gguf": 10,
                "Q8_0/m-00003-of-00003.gguf": 5,
                "Q8_0/m-00001-of-00003.gguf": 10,
                "F16/m-00001-of-00002.gguf": 20,
                "F16/m-00002-of-00002.gguf": 20,
            }
        )

        assert names(found.models) == [
            [f"Q8_0/m-0000{number}-of-00003.gguf" for number in (1, 2, 3)],
            [f"F16/m-0000{number}-of-00002.gguf" for number in (1, 2)],
        ]
        assert [(row.quantisation, row.total_bytes) for row in found.models] == [("Q8_0", 25), ("F16", 40)]

    @pytest.mark.parametrize("missing", [1, 2, 3])
    def test_a_set_with_a_part_missing_is_not_offered(self, missing: int) -> None:
        parts = {f"m-0000{number}-of-00003.gguf": 1 for number in (1, 2, 3) if number != missing}

        assert sort(**parts, **{"m-Q4_0.gguf": 1}).models == sort(**{"m-Q4_0.gguf": 1}).models

    def test_sets_in_different_folders_are_different_sets(self) -> None:
        found = sort(**{"a/m-00001-of-00002.gguf": 1, "b/m-00002-of-00002.gguf": 1})

        assert found == SortedFiles((), (), ())

    def test_projectors_are_apart(self) -> None:
        found = sort(**{"mmproj-F16.gguf": 2, "m-Q4_K_M.gguf": 9, "vision/mmproj-m-Q8_0.gguf": 1})

        assert names(found.models) == [["m-Q4_K_M.gguf"]]
        assert names(found.projectors) == [["vision/mmproj-m-Q8_0.gguf"], ["mmproj-F16.gguf"]]

    @pytest.mark.parametrize(
        "pieces",
        [
            ("m.gguf.part1of2", "m.gguf.part2of2"),
            ("m-Q8_0.gguf-split-a", "m-Q8_0.gguf-split-b"),
            ("m.gguf.001", "m.gguf.002"),
        ],
    )
    def test_pieces_of_a_cut_up_file_are_no_rows(self, pieces: tuple[str, str]) -> None:
        found = sort(**dict.fromkeys(pieces, 3))

        assert found.models == ()
        assert [file.path for file in found.unjoined] == list(pieces)

    def test_pieces_of_a_file_that_is_there_are_of_no_interest(self) -> None:
        assert sort(**{"x/m.gguf.part1of2": 1, "x/m.gguf": 2}).unjoined == ()
        assert len(sort(**{"x/m.gguf.part1of2": 1, "m.gguf": 2}).unjoined) == 1

    @pytest.mark.parametrize(
        "name",
        [
            "README.md",
            "model.safetensors",
            "m.imatrix",
            "m.imatrix.gguf",
            "imatrix_unsloth.gguf",
            "ggml-vocab-llama-bpe.gguf",
            "my-LoRA-f16.gguf",
            "ggml-adapter-model.gguf",
            "adapters/my_lora.gguf",
        ],
    )
    def test_what_is_no_model_is_left_out(self, name: str) -> None:
        assert sort(**{name: 5}).models == ()

    @pytest.mark.parametrize(
        "name",
        [
            "Model-imatrix-Q4_K_M.gguf",
            "Model-lora-merged-F16.gguf",
            "Some-LoRA-Q4_K_M.gguf",
            "explorations.gguf",
            "Floral-8B.gguf",
            "MODEL.GGUF",
        ],
    )
    def test_what_only_sounds_so_is_kept(self, name: str) -> None:
        assert names(sort(**{name: 5}).models) == [[name]]


def test_no_row_is_compared_with_all_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository may have thousands of files."""
    compared: list[object] = []

    class Watched(RemoteModel, frozen=True, eq=False):
        def __eq__(self, other: object) -> bool:
            compared.append(other)
            return self is other

        __hash__ = None  # type: ignore[assignment]

    monkeypatch.setattr(hub_files, "RemoteModel", Watched)
    found = sort(**{f"{name}-{number}.gguf": number + 1 for name in ("m", "mmproj") for number in range(9)})

    assert (len(found.models), len(found.projectors)) == (9, 9)
    assert compared == []
