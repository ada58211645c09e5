"""What tests on Spark share: one session for all of them, and small texts."""

from __future__ import annotations

import os
import random
import shutil
import sys

import pytest

# A JVM that lives for a minute does not repay the cost of its second compiler.
JAVA = {
    "JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "SPARK_LOCAL_IP": "127.0.0.1",
    "PYSPARK_PYTHON": sys.executable,
}
NO_JAVA = "JAVA_HOME" not in os.environ and shutil.which("java") is None


@pytest.fixture(scope="session")
def spark_session():
    """The session of all tests on Spark, which is started by the first of them."""
    from otherwords.build.engine.spark import SparkEngine

    with pytest.MonkeyPatch.context() as patch:
        for name, value in JAVA.items():
            patch.setenv(name, value)
        with SparkEngine.start("local[2]") as engine:
            session = engine.session
        yield session
        session.stop()


def sentences(size: int) -> list[tuple[str, str]]:
    """Sentences and their words spelt backwards, neighbours sometimes swapped."""
    chance = random.Random(1)
    words = "the cat dog sees finds a big small red old man walks , in garden".split()
    pairs = []
    for _ in range(size):
        english = chance.choices(words, k=chance.randint(3, 8))
        foreign = [word[::-1] for word in english]
        if chance.random() < 0.5:
            foreign[0], foreign[1] = foreign[1], foreign[0]
        pairs.append((" ".join(english), " ".join(foreign)))
    return pairs
