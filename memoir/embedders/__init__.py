"""Embedders: each turns texts into vectors whose cosines compare meanings."""
