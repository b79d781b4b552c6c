"""Hostile words in a real browser: every page is opened, and nothing of theirs runs or leaves.

Each page gets a trap before its own scripts, so that a payload's `alert` and whatever else is
live is reported to the server that the pages come from. A page that is live on purpose shows
that the trap sees it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium on the PATH"),
    pytest.mark.xdist_group("hostile"),
]

WIDTH = 390  # a phone

TELL = """<script>
const tell = what => navigator.sendBeacon('/report?' + new URLSearchParams(
  {page: location.pathname, what: what}));
</script>"""

TRAP = """<script>
window.alert = window.confirm = window.prompt = () => tell('a dialog');
addEventListener('load', () => setTimeout(() => {
  for (const each of document.querySelectorAll('*')) {
    for (const name of each.getAttributeNames())
      if (name.startsWith('on')) tell(each.tagName + ' ' + name);
    if (/^(javascript|data|vbscript):/i.test(String(each.href || each.action || each.src || '')))
      tell(each.tagName + ' ' + (each.href || each.action || each.src));
  }
  for (const entry of performance.getEntriesByType('resource'))
    if (!entry.name.startsWith(location.origin)) tell('asked ' + entry.name);
  if (document.scrollingElement.scrollWidth > innerWidth)
    tell('wider than the screen: ' + document.scrollingElement.scrollWidth);
  parent.postMessage('seen', '*');
}, 20));
</script>"""

READ = """<script>
const numbers = colour => {
  const found = colour.match(/[0-9.]+/g).map(Number);
  return colour.startsWith('color(srgb') ? found.map((n, at) => at < 3 ? n * 255 : n) : found;
};
const over = (top, below) => [0, 1, 2].map(n => top[n] * (top[3] ?? 1) + below[n] * (1 - (top[3] ?? 1)));
const light = colour => [0.2126, 0.7152, 0.0722].reduce((sum, share, n) => {
  const part = colour[n] / 255;
  return sum + share * (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
}, 0);
const behind = node => {
  if (!node) return [255, 255, 255];
  const own = numbers(getComputedStyle(node).backgroundColor);
  return (own[3] ?? 1) === 1 ? own : over(own, behind(node.parentElement));
};
const fading = node => node ? Number(getComputedStyle(node).opacity) * fading(node.parentElement) : 1;
addEventListener('load', () => setTimeout(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement, style = getComputedStyle(node);
    const faded = fading(node), ground = behind(node);
    if (!walker.currentNode.data.trim() || !node.getClientRects().length || faded < 0.1) continue;
    if (style.visibility !== 'visible' || node.closest('script, style, svg')) continue;
    const colour = numbers(style.color);
    const shown = over([...colour.slice(0, 3), (colour[3] ?? 1) * faded], ground);
    const [low, high] = [light(shown), light(ground)].sort((a, b) => a - b);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < (large ? 3 : 4.5))
      tell(`${node.tagName}.${node.className} ${ratio.toFixed(2)} ${walker.currentNode.data.trim().slice(0, 30)}`);
  }
  tell('scheme ' + document.body.dataset.mdColorScheme);
  parent.postMessage('seen', '*');
}, 20));
</script>"""

WALK = """<!doctype html><title>walking</title><script>
const pages = %s; let seen = 0, at = 0;
const next = () => {
  if (at >= pages.length) return;
  const frame = document.createElement('iframe');
  frame.width = %d; frame.height = 700; frame.src = pages[at++];
  addEventListener('message', event => {
    if (event.source !== frame.contentWindow) return;
    frame.remove(); seen += 1;
    if (seen === pages.length) document.title = 'seen ' + seen;
    next();
  });
  document.body.append(frame);
};
addEventListener('load', () => { for (let n = 0; n < 4; n++) next(); });
</script><body>"""

LIVE = {
    "live-script": "<script>alert(1)</script>",
    "live-handler": "<img src=x onerror=alert(1)>",
    "live-link": "<a href='javascript:alert(1)'>x</a>",
    "live-request": "<img src='http://127.0.0.1:1/x.png'>",
    "live-wide": "<div style='width: 900px'>x</div>",
}


class _Handler(SimpleHTTPRequestHandler):
    """Serves a folder, each page with the trap; keeps what the traps report."""

    def __init__(self, *args: Any, shared: dict[str, Any], **kwargs: Any) -> None:
        self.shared = shared
        super().__init__(*args, **kwargs)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing on stderr."""

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        if path == "/walk":
            self._answer(self.shared["walk"])
        elif path.strip("/") in LIVE:
            watch = self.shared["watch"]
            self._answer(f"<!doctype html><head>{watch}</head><body>{LIVE[path.strip('/')]}")
        elif path.endswith("/"):
            text = Path(self.translate_path(path), "index.html").read_text("utf-8")
            # The policy would stop what escaping and cleaning let through: it is not at work here.
            text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
            self._answer(text.replace("<head>", f"<head>{self.shared['watch']}", 1))
        else:
            super().do_GET()

    def do_POST(self) -> None:
        said = parse_qs(urlsplit(self.path).query)
        self.shared["reports"].append((said["page"][0], said["what"][0]))
        self._answer("")

    def _answer(self, text: str) -> None:
        body = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def served(
    folder: Path, pages: list[str], watch: str
) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """The folder on a free port of the loopback interface: the walk's address, the reports."""
    shared: dict[str, Any] = {
        "reports": [], "walk": WALK % (json.dumps(pages), WIDTH), "watch": TELL + watch,
    }  # fmt: skip
    server = ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(_Handler, directory=str(folder), shared=shared)
    )
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/walk", shared["reports"]
    finally:
        server.shutdown()
        server.server_close()


def browse(
    folder: Path, pages: list[str], profile: Path, watch: str, *options: str
) -> list[tuple[str, str]]:
    """Open each page in a frame as wide as a phone; what the watching script reported."""
    with served(folder, pages, watch) as (address, reports):
        assert CHROMIUM
        done = subprocess.run(
            [
                CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-sync", *options,
                f"--user-data-dir={profile}", "--virtual-time-budget=120000", "--dump-dom", address,
            ],
            capture_output=True, text=True, timeout=240, check=False,
            env={**os.environ, "HOME": str(profile)},
        )  # fmt: skip
        assert f"<title>seen {len(pages)}</title>" in done.stdout, done.stdout[-300:]
        return sorted(set(reports))


@pytest.mark.parametrize("made", ["hostile", "beyond"])
def test_no_payload_runs_in_a_browser(
    made: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    _, built = request.getfixturevalue(made)
    found = sorted(p.parent.relative_to(built).as_posix() for p in built.rglob("index.html"))
    chosen = [
        p for p in found if not p.startswith(("authors/", "venues/", "tags/")) or "/" not in p
    ]
    pages = [f"/{quote(path)}/".replace("/./", "/") for path in chosen]
    assert len(pages) > 81  # a reference, a note and a topic a payload, and the lists
    reports = browse(built, [*pages, *(f"/{name}/" for name in LIVE)], tmp_path, TRAP)
    live = [f"/{name}/" for name in LIVE]
    assert [each for each in reports if each[0] not in live] == []
    assert [page for page, _ in reports] == sorted([*live, "/live-handler/"])
    assert ("/live-script/", "a dialog") in reports
    assert ("/live-link/", "A javascript:alert(1)") in reports


SCHEMES = {
    "default": ("--blink-settings=preferredColorScheme=1",),
    "slate": ("--force-dark-mode", "--blink-settings=preferredColorScheme=0"),
}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_word_can_be_read(hostile: tuple[Path, Path], tmp_path: Path, scheme: str) -> None:
    _, built = hostile
    pages = ["/", "/library/2020/payload2020n0/", "/notes/n16/", "/topics/t3/", "/authors/"]
    reports = browse(built, pages, tmp_path, READ, *SCHEMES[scheme])
    assert [page for page, what in reports if what == f"scheme {scheme}"] == sorted(pages)
    assert [each for each in reports if not each[1].startswith("scheme ")] == []
