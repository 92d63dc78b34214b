"""GGUF files on disk: headers and, later, the library and downloads. Neither Qt nor llama.cpp."""
