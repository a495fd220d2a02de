"""Spreads a run or a study of Catapult over a Ray cluster."""
