"""The library for agents: the calls of the command line as a few bounded tools over MCP.

`tools` says what there is, `server` speaks the protocol; everything between comes from the core.
The SDK (`pip install 'pressmark[mcp]'`) is imported by `server` alone.
"""

from __future__ import annotations

INSTALL = "pip install 'pressmark[mcp]'"
"""The one command that brings the protocol."""
