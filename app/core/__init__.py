"""Plain Python shared by every layer: options, messages, statistics. Neither Qt nor llama.cpp."""
