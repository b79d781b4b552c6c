"""The extension for VS Code: what it declares, and the client that it starts."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from pressmark.lsp.document import LANGUAGES

EXTENSION = Path(__file__).resolve().parents[2] / "editors/vscode"

VSCODE = """
const settings = { command: ["prog", "lsp"], inlayHints: true, library: "/lib" };
const log = (globalThis.log = []);
module.exports = {
  workspace: { getConfiguration: (name) => ({
    get: (key, other) => (name === "pressmark" && key in settings ? settings[key] : other),
  }) },
  commands: { registerCommand: (name, run) => (log.push(["command", name]), { run }) },
};
"""
CLIENT = """
class LanguageClient {
  constructor(...given) { globalThis.log.push(["client", ...given]); }
  async start() { globalThis.log.push(["start"]); }
  async stop() { globalThis.log.push(["stop"]); }
}
module.exports = { LanguageClient };
"""
RUN = """
const extension = require(process.argv[2]);
const context = { subscriptions: [] };
(async () => {
  await extension.activate(context);
  await context.subscriptions[0].run();
  await extension.deactivate();
  console.log(JSON.stringify(globalThis.log));
})();
"""


def test_what_it_declares_is_what_the_server_reads() -> None:
    declared = json.loads((EXTENSION / "package.json").read_text())
    named = {
        each.partition(":")[2]
        for each in declared["activationEvents"]
        if each.startswith("onLanguage")
    }
    assert named <= set(LANGUAGES)
    settings = declared["contributes"]["configuration"]["properties"]
    assert settings["pressmark.command"]["default"] == ["pressmark", "lsp"]
    assert settings["pressmark.inlayHints"]["default"] is False
    # A folder that somebody else made must not choose the program.
    assert settings["pressmark.command"]["scope"] == "machine"


@pytest.mark.skipif(not shutil.which("node"), reason="Node.js is not installed")
def test_it_starts_the_server_and_stops_it(tmp_path: Path) -> None:
    for name, text in {
        "vscode/index.js": VSCODE, "vscode-languageclient/node.js": CLIENT,
    }.items():  # fmt: skip
        path = tmp_path / "node_modules" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    shutil.copy(EXTENSION / "extension.js", tmp_path / "extension.js")
    (tmp_path / "run.js").write_text(RUN)
    done = subprocess.run(
        ["node", "run.js", "./extension.js"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    log = json.loads(done.stdout)
    assert [each[0] for each in log] == [
        "command", "client", "start", "stop", "client", "start", "stop",
    ]  # fmt: skip
    _, name, _, server, client = log[1]
    assert (name, server) == ("pressmark", {"command": "prog", "args": ["lsp"]})
    assert client["initializationOptions"] == {"inlayHints": True, "library": "/lib"}
    assert {each["language"] for each in client["documentSelector"]} <= set(LANGUAGES)
