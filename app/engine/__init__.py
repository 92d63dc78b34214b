"""The speculative engine: llama.cpp in, rounds out. No Qt."""
