"""A headless Neovim that a test drives from outside, with our plugin in its runtime path and nothing else."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from editor_hosts import editor_environment
from hosts import ROOT
from neovim_rpc import NeovimRpc
from waiting import TIMEOUT

if TYPE_CHECKING:
    from editor_hosts import EditorHost

PLUGIN = ROOT / "editors" / "nvim"

# Runs a function body with the values of a JSON list, and gives the result back as JSON.
_LUA = """
local body, values = ...
local result = assert(loadstring(body))(unpack(vim.json.decode(values)))
if result == nil then
  result = vim.NIL
end
return vim.json.encode({ result })
"""
# Waits until a condition holds, while everything else goes on.
_WAIT = """
local value
local body = {body}
local held = vim.wait({milliseconds}, function()
  value = body()
  return value
end, 10)
return held and value or nil
"""
# What the tests call under a short name.
_HELPERS = (Path(__file__).parent / "neovim_helpers.lua").read_text(encoding="utf-8")


class Neovim:
    """A running Neovim. Lua code gets the further arguments as `...`, and its result must fit into JSON."""

    def __init__(self, host: EditorHost, folder: Path, init: str = "require('rubric').setup()") -> None:
        self.host = host
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        start = folder / "init.lua"
        start.write_text(
            f"vim.opt.runtimepath:append({json.dumps(str(PLUGIN))})\n{_HELPERS}\n{init}\n", encoding="utf-8"
        )
        socket = folder / "nvim.sock"
        # `timeout` ends an editor that a test leaves behind.
        command = ["timeout", "600", host.program, "--headless", "--listen", socket, "-n", "-i", "NONE", "-u", start]
        with (folder / "log").open("wb") as log:
            self._process = subprocess.Popen(
                command,
                env=editor_environment(folder),
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._rpc = self._connect(str(socket))

    def _connect(self, socket: str) -> NeovimRpc:
        """Connect as soon as Neovim listens."""
        end = time.monotonic() + TIMEOUT
        while True:
            with suppress(FileNotFoundError, ConnectionRefusedError):
                return NeovimRpc(socket, TIMEOUT * 2)
            assert self._process.poll() is None, (self.folder / "log").read_text(encoding="utf-8")
            assert time.monotonic() < end, "Neovim does not start."
            time.sleep(0.02)

    def lua(self, body: str, *values: Any) -> Any:
        """Run the body of a function and return what it returns."""
        return json.loads(self._rpc.call("nvim_exec_lua", _LUA, [body, json.dumps(values)]))[0]

    def wait(self, condition: str, what: str = "") -> Any:
        """Wait until the body of a function returns something true, and return that."""
        body = f"function() {condition} end"
        value = self.lua(_WAIT.format(body=body, milliseconds=int(TIMEOUT * 1000)))
        assert value is not None, f"{what or condition} did not come; messages: {self.messages()}"
        return value

    def type(self, keys: str) -> None:
        """Press keys, also while Neovim waits for some."""
        self._rpc.call("nvim_input", keys)

    def wait_for_prompt(self) -> None:
        """Wait until Neovim wants keys and does nothing else, as it does at a list of choices or an input line."""
        end = time.monotonic() + TIMEOUT
        while True:
            state = self._rpc.call("nvim_get_mode")
            if state["blocking"] or state["mode"].startswith(("c", "r")):
                return
            assert time.monotonic() < end, "Neovim asks for nothing."
            time.sleep(0.02)

    def command(self, line: str) -> None:
        """Run an Ex command."""
        self._rpc.call("nvim_command", line)

    def messages(self) -> str:
        """Return what Neovim has told the user."""
        told = "\n".join(self.lua("return notified"))
        return f"{told}\n{self._rpc.call('nvim_exec', 'messages', True)}"

    def edit(self, path: Path, text: str | None = None) -> None:
        """Open a file, which is written first where a text is given, and wait until our server looks at it."""
        if text is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        self.lua("vim.cmd('edit ' .. vim.fn.fnameescape((...)))", str(path))
        self.wait("return rubric_client() ~= nil", "The server")

    def close(self) -> None:
        """End the editor and see that nothing is left of it."""
        try:
            self._rpc.call("nvim_input", "<C-\\><C-n>:qall!<CR>")
            self._process.wait(TIMEOUT)
        finally:
            self._rpc.close()
            # Whatever is left of it goes too.
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
