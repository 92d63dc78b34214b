"""A hub with a target and its drafts, whose headers are those of tiny models."""

from pathlib import Path

from app.models.hub import HubModel
from tests.fakes.scripted_hub import ScriptedHub, found_model, hub_model, remote_model
from tests.fakes.tiny_gguf import llama_model, write_model


def repository(repo: str, billions: float, size: int, *, downloads: int = 1000) -> HubModel:
    """One file in Q4_K_M, named after its repository."""
    found = found_model(repo, parameters=round(billions * 1e9), downloads=downloads)
    stem = found.name.removesuffix("-GGUF")
    return hub_model(found, remote_model("Q4_K_M", size, stem=stem), base_models=())


TARGET = repository("Qwen/Qwen2.5-Coder-14B-Instruct-GGUF", 14.8, 8_990_000_000)
DRAFT = repository("Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF", 0.494, 491_000_000, downloads=97_000)
SECOND = repository("bartowski/Qwen2.5-Coder-0.5B-Instruct-GGUF", 0.494, 398_000_000)
THIRD = repository("Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF", 1.54, 1_120_000_000)


class DraftHub(ScriptedHub):
    """Knows the four; each has its header in a file of its own, so that they are told apart."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder
        for model in (TARGET, DRAFT, SECOND, THIRD):
            self.put(model)

    def put(self, model: HubModel) -> Path:
        """Makes a repository known, with a header."""
        self.add(model)
        path = self.folder / f"{model.repo.replace('/', '--')}.gguf"
        self.headers[f"{model.repo}/{model.models[0].files[0].path}"] = write_model(path, llama_model())
        return path

    def header_of(self, model: HubModel) -> Path:
        """Where its header is."""
        return self.headers[f"{model.repo}/{model.models[0].files[0].path}"]
