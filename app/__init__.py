"""Slipstream: a desktop chat application for local models with speculative decoding."""

__version__ = "0.1.0"
