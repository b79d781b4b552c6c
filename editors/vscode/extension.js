// Starts `pressmark lsp` and lets VS Code talk to it; everything else is the server's.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const LANGUAGES = ["markdown", "quarto", "latex", "tex", "typst", "org", "restructuredtext"];

let client;

function options() {
  const settings = vscode.workspace.getConfiguration("pressmark");
  const found = { inlayHints: settings.get("inlayHints", false) };
  const library = settings.get("library", "");
  if (library) found.library = library;
  return found;
}

async function start() {
  const settings = vscode.workspace.getConfiguration("pressmark");
  const [command, ...args] = settings.get("command", ["pressmark", "lsp"]);
  client = new LanguageClient(
    "pressmark",
    "Pressmark",
    { command, args },
    {
      documentSelector: LANGUAGES.map((language) => ({ scheme: "file", language })),
      initializationOptions: options(),
      synchronize: { configurationSection: "pressmark" },
    },
  );
  await client.start();
}

async function stop() {
  const running = client;
  client = undefined;
  if (running) await running.stop();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("pressmark.restart", async () => {
      await stop();
      await start();
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
