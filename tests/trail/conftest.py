"""The same table as in the tests of play."""
from tests.play.conftest import ilse, marrow, scene, whisper

__all__ = ["ilse", "marrow", "scene", "whisper"]
