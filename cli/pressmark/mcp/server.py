"""A desk in, a server out that speaks the Model Context Protocol over stdio or local HTTP."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import anyio
import anyio.from_thread
import anyio.to_thread
import mcp_types as types
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from pressmark import __version__
from pressmark.errors import PressmarkError
from pressmark.mcp import failing, guide, prompts, resources
from pressmark.mcp.budget import size
from pressmark.mcp.calls import Log
from pressmark.mcp.desk import Call, Desk
from pressmark.mcp.shapes import CEILING
from pressmark.mcp.tool import Told, Tool
from pressmark.mcp.tools import chosen

THREADS = 16
"""Calls that run side by side; further ones wait their turn."""


class Service:
    """The handlers of one server: each answers one kind of request."""

    def __init__(self, desk: Desk, tools: Mapping[str, Tool], log: Log) -> None:
        self.desk = desk
        self.tools = tools
        self.log = log
        self.limiter = anyio.CapacityLimiter(THREADS)

    async def list_tools(self, _context: Any, _params: Any) -> types.ListToolsResult:
        listed = [_listed(tool, self.desk.plain) for tool in self.tools.values()]
        return types.ListToolsResult(tools=listed)

    async def call_tool(self, context: Any, params: types.CallToolRequestParams) -> Any:
        tool = self.tools.get(params.name)
        if tool is None:
            known = ", ".join(self.tools)
            return _failed(f"not_found: There is no such tool. Next: use one of {known}.")
        with self.log.call(tool.name, params.arguments or {}) as entry:
            try:
                told = await self._run(tool, params.arguments or {}, context)
                if size(told) > CEILING:
                    raise PressmarkError("The answer is too large.", next="ask for less at once")
            except Exception as error:
                entry.failed(getattr(error, "code", type(error).__name__))
                return _failed(failing.line(error))
            entry.size = size(told)
            return _answered(told, self.desk.plain)

    async def _run(self, tool: Tool, given: Mapping[str, Any], context: Any) -> Told:
        """Run a tool on a worker thread; a cancelled request is told to it, not waited for."""
        arguments = tool.arguments(given)
        gone = threading.Event()
        tell = partial(_progress, context)

        def work() -> Told:
            call = Call(self.desk, self.desk.library, tell, gone)
            return tool.run(call, arguments)

        try:
            return await anyio.to_thread.run_sync(
                work, abandon_on_cancel=not tool.writes, limiter=self.limiter
            )
        finally:
            gone.set()

    async def read_resource(self, _context: Any, params: types.ReadResourceRequestParams) -> Any:
        read = partial(resources.read, self.desk, str(params.uri))
        found = await self._told(read)
        contents = types.TextResourceContents(uri=params.uri, text=found.text, mime_type=found.kind)
        return types.ReadResourceResult(contents=[contents])

    async def list_resources(self, _context: Any, _params: Any) -> types.ListResourcesResult:
        found = await self._told(partial(resources.listed, self.desk))
        return types.ListResourcesResult(resources=found)

    async def list_templates(self, _context: Any, _params: Any) -> Any:
        return types.ListResourceTemplatesResult(resource_templates=resources.TEMPLATES)

    async def list_prompts(self, _context: Any, _params: Any) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=prompts.LISTED)

    async def get_prompt(self, _context: Any, params: types.GetPromptRequestParams) -> Any:
        return await self._told(partial(prompts.filled, params.name, params.arguments or {}))

    async def complete(self, _context: Any, params: types.CompleteRequestParams) -> Any:
        words = partial(resources.completed, self.desk, params.argument.name, params.argument.value)
        values, total = await self._told(words)
        completion = types.Completion(values=values, total=total, has_more=total > len(values))
        return types.CompleteResult(completion=completion)

    async def _told(self, ask: Callable[[], Any]) -> Any:
        """Ask on a worker thread; a failure is the protocol's own error with our line."""
        try:
            return await anyio.to_thread.run_sync(ask, limiter=self.limiter)
        except MCPError:
            raise
        except Exception as error:
            code = types.INVALID_PARAMS if isinstance(error, PressmarkError) else (
                types.INTERNAL_ERROR
            )  # fmt: skip
            raise MCPError(code=code, message=failing.line(error)) from None


def _listed(tool: Tool, plain: bool = False) -> types.Tool:
    return types.Tool(
        name=tool.name, title=tool.title, description=tool.about,
        input_schema=tool.input_schema, output_schema=None if plain else tool.output_schema,
        annotations=types.ToolAnnotations(
            read_only_hint=not tool.writes, destructive_hint=tool.destructive,
            idempotent_hint=tool.idempotent, open_world_hint=tool.open_world,
        ),
    )  # fmt: skip


def _answered(told: Told, plain: bool) -> types.CallToolResult:
    """The structure and a short text; where only text is shown, the structure as that text."""
    if plain:
        whole = types.TextContent(type="text", text=told.answer.model_dump_json())
        return types.CallToolResult(content=[whole])
    text = types.TextContent(type="text", text=told.text)
    structure = told.answer.model_dump(mode="json")
    return types.CallToolResult(content=[text], structured_content=structure)


def _failed(line: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=line)], is_error=True)


def _progress(context: Any, done: float, total: float | None, what: str) -> None:
    """Report from a worker thread; a client that did not ask for progress hears nothing."""
    report = getattr(context.session, "report_progress", None)
    if report is not None:
        anyio.from_thread.run(report, done, total, what)


def build(desk: Desk, tools: Mapping[str, Tool] | None = None, log: Log | None = None) -> Server:
    """The server of a desk."""
    served = chosen(desk) if tools is None else tools
    service = Service(desk, served, log or Log(None))
    return Server(
        "pressmark", version=__version__, title="Pressmark",
        instructions=guide.instructions(served),
        on_list_tools=service.list_tools, on_call_tool=service.call_tool,
        on_list_resources=service.list_resources, on_read_resource=service.read_resource,
        on_list_resource_templates=service.list_templates, on_list_prompts=service.list_prompts,
        on_get_prompt=service.get_prompt, on_completion=service.complete,
    )  # fmt: skip


def serve_stdio(desk: Desk, log: Log) -> None:
    """Serve one client on the standard streams until it goes."""

    async def run() -> None:
        server = build(desk, log=log)
        async with stdio_server() as (reader, writer):
            await server.run(reader, writer, server.create_initialization_options())

    anyio.run(run)


def serve_http(desk: Desk, port: int, log: Log) -> None:
    """Serve on 127.0.0.1; the SDK refuses a foreign Host or Origin."""
    import uvicorn

    app = build(desk, log=log).streamable_http_app(host="127.0.0.1")
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning")
