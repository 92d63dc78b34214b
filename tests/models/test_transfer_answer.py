"""What an answer brings, before a byte of it is kept."""

import httpx2
import pytest

from app.models.hub_problems import HubError, HubProblem
from app.models.transfer_answer import Answer, check_first_bytes, judge, names_other_bytes, strong

SIZE = 1000


def answer(status: int, start: int = 100, stop: int = 200, **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return judge(status, httpx2.Headers(named), start, stop, SIZE)


class TestParts:
    @pytest.mark.parametrize("last", [199, 150, 100])
    def test_from_the_byte_that_was_asked_for(self, last: int) -> None:
        length = str(last - 99)
        assert answer(206, content_range=f"bytes 100-{last}/1000", content_length=length) is Answer.RANGE

    @pytest.mark.parametrize(
        "stated",
        [
            "bytes 99-199/1000",
            "bytes 101-199/1000",
            "bytes 100-200/1000",
            "bytes 100-99/1000",
            "bytes 100-199/999",
            "bytes 100-199/*",
            "bytes */1000",
            "",
            "nonsense",
        ],
    )
    def test_other_bytes(self, stated: str) -> None:
        assert answer(206, content_range=stated) is Answer.OTHER

    def test_another_length(self) -> None:
        assert answer(206, content_range="bytes 100-199/1000", content_length="99") is Answer.OTHER

    def test_several_at_once(self) -> None:
        assert answer(206, content_type="multipart/byteranges; boundary=x") is Answer.OTHER


class TestTheRest:
    def test_the_whole_file(self) -> None:
        assert answer(200, content_length="1000") is Answer.WHOLE
        assert answer(200) is Answer.WHOLE

    def test_a_file_of_another_size(self) -> None:
        assert answer(200, content_length="999") is Answer.OTHER

    def test_no_such_bytes(self) -> None:
        assert answer(416, content_range="bytes */50", content_type="text/html") is Answer.OTHER

    @pytest.mark.parametrize("status", [200, 206])
    def test_a_page(self, status: int) -> None:
        with pytest.raises(HubError) as raised:
            answer(status, content_type="Text/HTML; charset=utf-8", content_range="bytes 100-199/1000")
        assert raised.value.problem is HubProblem.NOT_THE_ANSWER

    def test_packed_bytes(self) -> None:
        with pytest.raises(HubError):
            answer(206, content_encoding="gzip", content_range="bytes 100-199/1000")

    @pytest.mark.parametrize("status", [204, 203, 300, 304])
    def test_nothing_that_makes_sense(self, status: int) -> None:
        with pytest.raises(HubError):
            answer(status)


class TestFirstBytes:
    @pytest.mark.parametrize(
        ("path", "position", "piece"),
        [
            ("m.gguf", 0, b"GGUF\x03"),
            ("m.gguf", 0, b"GG"),
            ("m.GGUF", 2, b"UF\x03"),
            ("m.gguf", 4, b"<htm"),
            ("m.json", 0, b"{"),
            ("sub/m-00002-of-00002.gguf", 0, memoryview(b"GGUF")),
        ],
    )
    def test_right(self, path: str, position: int, piece: bytes) -> None:
        check_first_bytes(path, position, piece)

    @pytest.mark.parametrize(
        ("path", "position", "piece"),
        [("m.gguf", 0, b"<!doc"), ("m.GGUF", 0, b"g"), ("m.gguf", 2, b"gf")],
    )
    def test_wrong(self, path: str, position: int, piece: bytes) -> None:
        with pytest.raises(HubError) as raised:
            check_first_bytes(path, position, piece)
        assert raised.value.problem is HubProblem.NOT_THE_ANSWER


def test_an_etag_tells_other_bytes_only_where_there_are_two() -> None:
    assert names_other_bytes('"abc"', '"abd"')
    assert names_other_bytes('W/"abc"', '"abd"')
    assert not names_other_bytes('"abc"', 'W/"abc"')
    assert not names_other_bytes(None, '"abc"')
    assert not names_other_bytes('"abc"', None)


def test_a_weak_etag_does_not_vouch_for_bytes() -> None:
    assert strong('"abc"') == '"abc"'
    assert strong('W/"abc"') is None
    assert strong("abc") is None
    assert strong(None) is None
