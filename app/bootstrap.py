"""Builds the services, once, and hands them out."""

from app.engine.llama import Library
from app.engine.memory import detect_features
from app.engine.pair import PairLoader
from app.engine.vocab import VocabularyCache
from app.paths import cache_folder


def vocabulary_cache() -> VocabularyCache:
    """What earlier runs learnt of vocabularies, on disk."""
    return VocabularyCache(cache_folder() / "vocabularies.msgpack")


def pair_loader() -> PairLoader:
    """The engine in this process: llama.cpp is loaded here."""
    return PairLoader(Library(), vocabulary_cache(), detect_features())
