"""What a quantisation is worth, and which one is recommended."""

import pytest

from app.models.hub import RemoteFile, RemoteModel
from app.models.quantisations import Quality, Reason, quality_of, recommended

GB = 1_000_000_000


LARGE = {
    "Q2_K": 3.0,
    "Q3_K_M": 4.0,
    "Q4_K_S": 4.6,
    "Q4_K_M": 4.9,
    "Q5_K_M": 5.7,
    "Q6_K": 6.6,
    "Q8_0": 8.5,
}


def rows(**sizes: float) -> list[RemoteModel]:
    """Rows by their quantisation, sizes in GB."""
    return [
        RemoteModel((RemoteFile(f"m-{name}.gguf", int(size * GB), None),), name)
        for name, size in sizes.items()
    ]


def choice(models: list[RemoteModel], most: float = 1000.0) -> tuple[str, Reason] | None:
    found = recommended(models, lambda row: row.total_bytes <= most * GB)
    return None if found is None else (found[0].quantisation, found[1])


@pytest.mark.parametrize(
    ("quality", "examples"),
    [
        (Quality.VERY_LOW, ["IQ1_S", "TQ1_0", "UD-TQ1_0", "Q2_K", "IQ2_XXS", "UD-Q2_K_XL", "TQ2_0"]),
        (Quality.LOW, ["IQ3_XXS", "Q3_K_M", "UD-Q3_K_XL", "Q3_K_L"]),
        (Quality.FAIR, ["Q4_0", "Q4_1", "Q4_0_4_4"]),
        (Quality.GOOD, ["Q4_K_M", "Q4_K_S", "IQ4_XS", "IQ4_NL", "UD-Q4_K_XL", "MXFP4", "MXFP4_MOE", "Q4"]),
        (Quality.VERY_GOOD, ["Q5_K_M", "Q5_0", "UD-Q5_K_XL"]),
        (Quality.NEAR_ORIGINAL, ["Q6_K", "Q6_K_L", "Q8_0", "UD-Q8_K_XL", "q8_0"]),
        (Quality.ORIGINAL, ["F16", "BF16", "F32", "bf16"]),
        (Quality.UNKNOWN, ["", "Q7_K", "Q9_0", "int4", "F8"]),
    ],
)
def test_quality_goes_by_the_name(quality: Quality, examples: list[str]) -> None:
    assert [quality_of(name) for name in examples] == [quality] * len(examples)


class TestRecommendation:
    def test_of_a_large_model_is_the_usual_one(self) -> None:
        assert choice(rows(**LARGE, F16=16.1)) == ("Q4_K_M", Reason.USUAL)

    def test_is_the_best_that_fits_where_the_usual_one_does_not(self) -> None:
        assert choice(rows(**LARGE), 4.8) == ("Q4_K_S", Reason.BEST_THAT_FITS)

    @pytest.mark.parametrize("most", [4.5, 3.5])
    def test_is_none_where_a_smaller_model_would_answer_better(self, most: float) -> None:
        assert choice(rows(**LARGE), most) is None

    def test_is_none_where_nothing_fits(self) -> None:
        assert choice(rows(**LARGE), 1.0) is None
        assert choice([]) is None

    @pytest.mark.parametrize(
        ("sizes", "name", "reason"),
        [
            (
                {"Q4_K_M": 0.4, "Q5_K_M": 0.42, "Q6_K": 0.5, "Q8_0": 0.53, "F16": 1.0},
                "Q8_0",
                Reason.SMALL_MODEL,
            ),
            ({"Q4_K_M": 1.1, "Q5_K_M": 1.3, "Q6_K": 1.5, "Q8_0": 1.9}, "Q8_0", Reason.SMALL_MODEL),
            ({"Q4_K_M": 1.3, "Q5_K_M": 1.5, "Q6_K": 1.8, "Q8_0": 2.3}, "Q6_K", Reason.SMALL_MODEL),
            ({"Q4_K_M": 1.9, "Q5_K_M": 2.2, "Q6_K": 2.5, "Q8_0": 3.3}, "Q4_K_M", Reason.USUAL),
        ],
    )
    def test_of_a_small_model_has_more_bits(self, sizes: dict[str, float], name: str, reason: Reason) -> None:
        assert choice(rows(**sizes)) == (name, reason)

    def test_of_a_small_model_fits_too(self) -> None:
        assert choice(rows(Q4_K_M=0.4, Q5_K_M=0.42, Q8_0=0.53), most=0.45) == ("Q5_K_M", Reason.SMALL_MODEL)

    @pytest.mark.parametrize(
        ("sizes", "name"),
        [
            ({"F16": 15.0, "Q4_0": 4.0}, "Q4_0"),
            ({"F16": 15.0}, "F16"),
            ({"MXFP4": 12.0, "F16": 13.8}, "MXFP4"),
            ({"": 4.0}, ""),
            ({"Q6_K": 6.0, "Q8_0": 8.0}, "Q8_0"),
        ],
    )
    def test_makes_the_best_of_what_there_is(self, sizes: dict[str, float], name: str) -> None:
        assert choice(rows(**sizes)) == (name, Reason.BEST_THAT_FITS)

    def test_takes_the_largest_of_several_models_in_one_repository(self) -> None:
        models = [*rows(Q4_K_M=3.0), *rows(Q4_K_M=5.0), *rows(Q4_K_M=9.0)]
        found = recommended(models, lambda row: row.total_bytes < 6 * GB)

        assert found == (models[1], Reason.USUAL)
