"""Fixtures of pytest for micro-insurance-sandbox. Copy this file into the folder of your tests.

Each test has a `merchant`. If it fails, pytest prints its calls and the command that opens its World.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
from datetime import datetime
from pathlib import Path
from typing import Any, Iterator
from urllib import error, parse, request as http

import pytest

MERCHANT = pytest.StashKey["Merchant"]()


class Sandbox:
    process: subprocess.Popen[str] | None = None

    def __init__(self) -> None:
        self.url = os.environ.get("SANDBOX_URL", "").rstrip("/") or self.start()

    def start(self) -> str:
        names = ("node_modules/micro-insurance-sandbox", ".")
        places = [folder / name for folder in Path(__file__).resolve().parents for name in names]
        programs = [str(file) for place in places if (file := place / "bin/micro-insurance-sandbox.cjs").exists()]
        node = shutil.which("node")
        if not node or not programs:
            pytest.fail(f"Install {'micro-insurance-sandbox' if node else 'Node 20.19'}.", pytrace=False)
        command = [node, programs[0], "--attached", "--port=0", "--json", "--now=2026-01-31T10:00:00Z", "--freeze"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if line := self.process.stdout.readline():
            return json.loads(line)["url"]
        pytest.fail(f"The sandbox did not start: exit code {self.process.wait()}.", pytrace=False)

    def call(self, method: str, path: str, key: str | None, body: object = None) -> str:
        __tracebackhide__ = True
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
        data = None if body is None else json.dumps(body).encode()
        call = http.Request(f"{self.url}/_sandbox{path}", data, headers, method=method)
        try:
            return http.urlopen(call, timeout=10).read().decode()
        except error.HTTPError as refusal:
            reason = f"{method} {path}: {refusal.read().decode()}"
        except OSError as failure:
            reason = f"No sandbox at {self.url}: {failure}"
        if self.process and self.process.poll() is not None:
            reason = f"The sandbox ended with exit code {self.process.returncode}. The next test has a new one."
            self.url = self.start()
        pytest.fail(reason)


class Merchant:
    def __init__(self, sandbox: Sandbox, name: str) -> None:
        self.sandbox, self.url, self.name = sandbox, sandbox.url, name
        self.seed()

    def call(self, method: str, path: str, body: object = None) -> Any:
        return json.loads(self.sandbox.call(method, path, self.key, body) or "null")

    def now(self) -> datetime:
        return datetime.fromisoformat(self.call("GET", "/clock")["now"].replace("Z", "+00:00"))

    def advance(self, by: str) -> list[dict[str, Any]]:
        """Moves the clock by "PT15M" or "P1M". Returns what ended on the way."""
        return self.call("POST", "/clock/advance", {"by": by})["effects"]

    def fault(self, operation: str, kind: str = "drop", stage: str = "after", times: int = 1, **effect: object) -> None:
        """Makes the next calls of an operation fail."""
        rule = {"match": {"operation": operation}, "stage": stage, "effect": {"kind": kind, **effect}, "times": times}
        self.call("POST", "/faults", rule)

    def seed(self, **records: int) -> None:
        """Opens a World with policies bought in the year before, and a new key: `seed(micro_health=40)`."""
        self.key = os.environ.get("SANDBOX_ADMIN_TOKEN")
        self.key = self.call("POST", "/merchants", {"name": self.name, "records": records})["api_key"]

    def records(self, family: str) -> list[dict[str, Any]]:
        return self.call("GET", f"/records?family={family}&per_page=100")["data"]

    def journal(self, **filters: object) -> list[dict[str, Any]]:
        return self.call("GET", f"/journal?{parse.urlencode(filters)}")["data"]

    def story(self) -> str:
        """The calls as text, and how to open the World. Under chaos, which has a report, nothing is saved."""
        text = self.sandbox.call("GET", "/journal?format=text", self.key)
        if "SANDBOX_RUN" in os.environ:
            return text
        name = re.sub(r"[^a-z0-9]+", "-", self.name.lower())[:60].strip("-")
        file = Path("sandbox-failures", f"{name}-{hashlib.sha1(self.name.encode()).hexdigest()[:8]}.json")
        file.parent.mkdir(exist_ok=True)
        file.write_text(self.sandbox.call("GET", "/snapshot", self.key))
        return f"{text}\nnpx micro-insurance-sandbox show {file}"


@pytest.fixture(scope="session")
def sandbox() -> Sandbox:
    return Sandbox()


@pytest.fixture
def merchant(sandbox: Sandbox, request: pytest.FixtureRequest) -> Merchant:
    request.node.stash[MERCHANT] = Merchant(sandbox, request.node.nodeid.split("::", 1)[-1][:100] or "test")
    return request.node.stash[MERCHANT]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = (yield).get_result()
    if report.failed and MERCHANT in item.stash:
        try:
            story = item.stash[MERCHANT].story()
        except pytest.fail.Exception as failure:
            story = str(failure)
        report.sections.append(("Calls of the merchant", story))
