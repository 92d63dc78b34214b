"""Which packages of the system are missing, and how a person installs what set-up may not."""

import os
from pathlib import Path

import pytest
from system_packages import (
    Family,
    System,
    Tool,
    absent,
    apt_commands,
    compiler_present,
    debian_packages,
    family_of,
    how_to_install,
    line_to_run,
    missing_packages,
)


@pytest.mark.parametrize(
    ("release", "family"),
    [
        ({"ID": "debian"}, Family.DEBIAN),
        ({"ID": "ubuntu", "ID_LIKE": "debian"}, Family.DEBIAN),
        ({"ID": "linuxmint", "ID_LIKE": "ubuntu debian"}, Family.DEBIAN),
        ({"ID": "fedora"}, Family.FEDORA),
        ({"ID": "rocky", "ID_LIKE": "rhel centos fedora"}, Family.FEDORA),
        ({"ID": "manjaro", "ID_LIKE": "arch"}, Family.ARCH),
        ({"ID": "opensuse-tumbleweed", "ID_LIKE": "opensuse suse"}, Family.SUSE),
        ({"ID": "nixos"}, Family.OTHER_UNIX),
        ({}, Family.OTHER_UNIX),
    ],
)
def test_systems_are_known_by_their_name_or_by_what_they_are_like(
    release: dict[str, str], family: Family
) -> None:
    assert family_of(release) is family


class TestPackagesOfDebian:
    def test_are_none_where_nothing_is_wanted(self) -> None:
        assert debian_packages("3.11", compiler=False, ensurepip=False, qt=False, display=False) == ()

    def test_are_the_compiler_and_what_this_python_lacks(self) -> None:
        packages = debian_packages("3.13", compiler=True, ensurepip=True, qt=False, display=False)

        assert packages == ("build-essential", "python3.13-venv")

    def test_for_the_window_are_the_libraries_of_qt(self) -> None:
        packages = debian_packages("3.11", compiler=False, ensurepip=False, qt=True, display=False)

        assert {"libegl1", "libgl1", "libxkbcommon0", "libdbus-1-3", "libxcb-cursor0"} <= set(packages)
        assert len(packages) == len(set(packages))
        assert "xvfb" not in packages

    def test_for_a_display_in_memory_are_xvfb(self) -> None:
        packages = debian_packages("3.11", compiler=False, ensurepip=False, qt=False, display=True)

        assert packages == ("xvfb",)


class TestMissingPackages:
    WANTED = ("build-essential", "libgl1", "libglib2.0-0")

    def test_are_all_where_dpkg_knows_none(self) -> None:
        assert absent(self.WANTED, "") == self.WANTED

    def test_are_none_where_all_are_installed(self) -> None:
        listing = "installed libgl1\ninstalled build-essential\ninstalled libglib2.0-0\n"

        assert absent(self.WANTED, listing) == ()

    def test_include_one_that_was_removed_or_never_configured(self) -> None:
        listing = "installed libgl1\nconfig-files build-essential\nhalf-installed libglib2.0-0\n"

        assert absent(self.WANTED, listing) == ("build-essential", "libglib2.0-0")

    def test_do_not_include_one_that_is_there_under_its_newer_name(self) -> None:
        listing = "installed build-essential\ninstalled libgl1\ninstalled libglib2.0-0t64\n"

        assert absent(self.WANTED, listing) == ()

    def test_are_not_asked_for_where_nothing_is_wanted(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", "")  # no dpkg-query to be found

        assert missing_packages(()) == ()


def test_apt_refreshes_its_lists_first_and_asks_nothing() -> None:
    refresh, install = apt_commands(["xvfb", "libgl1"])

    assert refresh[-1] == "update"
    assert install[-5:] == ("install", "-y", "--no-install-recommends", "xvfb", "libgl1")


def test_the_line_to_run_is_one_command_with_the_rights_that_it_needs() -> None:
    user = System(Family.DEBIAN, root=False)

    assert line_to_run(user, ["xvfb", "libgl1"]) == "sudo apt-get install -y xvfb libgl1"


class TestHowToInstall:
    @pytest.mark.parametrize("tool", Tool)
    @pytest.mark.parametrize("family", Family)
    def test_says_something_for_every_tool_on_every_system(self, tool: Tool, family: Family) -> None:
        assert how_to_install(tool, System(family, root=False)).endswith((".", *"abcdefghijklmnopqrstuvwxyz"))

    @pytest.mark.parametrize(
        ("system", "advice"),
        [
            (System(Family.DEBIAN, root=True), "Run: apt-get install -y build-essential"),
            (System(Family.DEBIAN, root=False), "Run: sudo apt-get install -y build-essential"),
            (System(Family.FEDORA, root=False), "Run: sudo dnf install gcc gcc-c++ make"),
            (System(Family.ARCH, root=False), "Run: sudo pacman -S base-devel"),
            (System(Family.MACOS, root=False), "Run: xcode-select --install"),
        ],
    )
    def test_names_the_command_for_a_compiler(self, system: System, advice: str) -> None:
        assert how_to_install(Tool.COMPILER, system) == advice

    def test_names_the_build_tools_on_windows(self) -> None:
        assert "Visual Studio" in how_to_install(Tool.COMPILER, System(Family.WINDOWS, root=False))


@pytest.mark.skipif(os.name == "nt", reason="looks for programs as Unix names them")
class TestTheCompiler:
    @staticmethod
    def _programs(folder: Path, *names: str) -> dict[str, str]:
        for name in names:
            (folder / name).write_bytes(b"")
            (folder / name).chmod(0o755)
        return {"PATH": str(folder)}

    @pytest.mark.parametrize("names", [("cc", "c++"), ("gcc", "g++"), ("clang", "clang++")])
    def test_is_there_when_c_and_cxx_are(self, tmp_path: Path, names: tuple[str, str]) -> None:
        assert compiler_present(Family.DEBIAN, self._programs(tmp_path, *names))

    @pytest.mark.parametrize("names", [(), ("gcc",), ("g++",)])
    def test_is_missing_when_one_of_them_is(self, tmp_path: Path, names: tuple[str, ...]) -> None:
        assert not compiler_present(Family.FEDORA, self._programs(tmp_path, *names))

    def test_may_be_chosen_by_variables(self, tmp_path: Path) -> None:
        variables = self._programs(tmp_path, "mycc", "mycxx")

        assert compiler_present(Family.DEBIAN, {**variables, "CC": "mycc -m64", "CXX": "mycxx"})
        assert not compiler_present(Family.DEBIAN, {**variables, "CC": "mycc", "CXX": "absent"})

    def test_is_left_to_cmake_on_windows(self) -> None:
        assert compiler_present(Family.WINDOWS, {})
