"""What a refresh of three quiet topics costs, beside the bare requests it sends.

    python bench/topics.py [--held 20000] [--times 5]

CPU seconds (user and system, children included) of processes started anew. The providers are a
double on the loopback interface; the topics have run before, so that there is nothing new to file.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "tests"), str(HERE.parent / "tests" / "topics")]

from world import BEGIN, World  # noqa: E402

from double import Double  # noqa: E402

TOPICS = {"reeds": ("openalex", "crossref", "arxiv"), "tides": ("openalex", "crossref", "arxiv"),
          "weirs": ("openalex", "crossref", "arxiv")}  # fmt: skip
BARE = """
import json, sys, httpx
for url in json.load(open(sys.argv[1])):
    with httpx.Client(trust_env=False) as client:
        assert client.get(url).status_code == 200
"""


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--held", type=int, default=2_000, help="references of the library")
    parser.add_argument("--times", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Double() as double:
        world = World(max(1, (date.today() - BEGIN).days))
        world.today = date.today()
        double.routes = world.routes()
        measured(Path(folder), double, options.held, options.times)


def measured(folder: Path, double: Double, held: int, times: int) -> None:
    """Make the library, run the topics once, then measure quiet refreshes and bare requests."""
    root = folder / "lib"
    config = double.write_config(folder / "config.toml")
    os.environ |= {"PRESSMARK_CONFIG": str(config), "HOME": str(folder)}
    for name in ("AUTHOR", "COMMITTER"):
        os.environ |= {f"GIT_{name}_NAME": "Ada", f"GIT_{name}_EMAIL": "ada@reader.invalid"}
    os.environ["PYTHONPATH"] = str(HERE.parent / "cli")
    subprocess.run([sys.executable, HERE / "invent.py", "library", root, str(held)], check=True)
    for slug, providers in TOPICS.items():
        lines = "".join(f"- {name}\n" for name in providers)
        text = f"---\ntitle: {slug}\n\nquery: {slug}\n\nproviders:\n{lines}---\n"
        (root / "topics").mkdir(exist_ok=True)
        (root / "topics" / f"{slug}.md").write_text(text)
    git = ("git", "-C", str(root))
    for words in (("init", "-q"), ("add", "."), ("commit", "-qm", "topics")):
        subprocess.run([*git, *words], check=True, stdout=subprocess.DEVNULL)
    program = (sys.executable, "-m", "pressmark", "-C", str(root))
    refresh = (*program, "refresh", "--fulltext-limit", "0", "--update-limit", "0")
    seconds(*refresh)
    double.requests.clear()
    seconds(*refresh)
    urls = [f"{double.base_url}{seen.target}" for seen in double.requests]
    (folder / "urls.json").write_text(json.dumps(urls))
    head = subprocess.run([*git, "rev-list", "--count", "HEAD"], capture_output=True, text=True)
    rows = {
        "bare requests": (sys.executable, "-c", BARE, str(folder / "urls.json")),
        "`topic list`, no request": (*program, "topic", "list"),
        "refresh of three quiet topics": refresh,
    }
    costs = {name: [] for name in rows}
    for _ in range(times):  # in turn, so that what else the machine does hits all alike
        for name, words in rows.items():
            costs[name].append(seconds(*words))
    middle = {name: statistics.median(each) for name, each in costs.items()}
    again = subprocess.run([*git, "rev-list", "--count", "HEAD"], capture_output=True, text=True)
    assert head.stdout == again.stdout, "a quiet refresh made a commit"
    print(f"{len(urls)} requests, {held:,} references held, {times} runs each, CPU seconds\n")
    print("| what | CPU s | beside the bare requests |\n|---|---|---|")
    for name, cost in middle.items():
        print(f"| {name} | {cost:.2f} | {cost / middle['bare requests']:.2f} × |")


def seconds(*words: str) -> float:
    """The CPU seconds of a process and its children."""
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert process.stderr is not None
    said = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, said.decode()
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
