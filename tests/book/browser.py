"""Chromium without a window, driven by its own protocol: https://chromedevtools.github.io/devtools-protocol/."""

import json
import os
import shutil
import subprocess
import time

COMMANDS, ANSWERS = 3, 4  # the descriptors that --remote-debugging-pipe reads and writes; messages end in a 0


class Browser:
    """A page of Chromium. `complaints` holds what its console was told of errors."""

    @staticmethod
    def found():
        return shutil.which("chromium") is not None

    def __init__(self, width=1200, height=1000):
        own_in, write = os.pipe()
        read, own_out = os.pipe()
        high = 20  # out of the way of the two that are taken

        def move_pipes():
            os.dup2(own_in, high)
            os.dup2(own_out, high + 1)
            os.dup2(high, COMMANDS)
            os.dup2(high + 1, ANSWERS)

        command = ["chromium", "--headless=new", "--disable-gpu", "--remote-debugging-pipe", f"--window-size={width},{height}"]
        if os.geteuid() == 0:
            command.append("--no-sandbox")  # which Chromium refuses to have as root
        self.process = subprocess.Popen(
            [*command, "about:blank"], close_fds=False, preexec_fn=move_pipes,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(own_in)
        os.close(own_out)
        self.write, self.read, self.number, self.received = write, read, 0, b""
        self.complaints = []
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def message(self):
        while b"\0" not in self.received:
            more = os.read(self.read, 1 << 16)
            if not more:
                raise RuntimeError("Chromium ended")
            self.received += more
        text, self.received = self.received.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.write, json.dumps(request).encode() + b"\0")
        while (answer := self.message()).get("id") != self.number:
            self.listen(answer)
        return answer["result"]

    def listen(self, event):
        name, about = event.get("method"), event.get("params", {})
        if name == "Runtime.exceptionThrown" or (name == "Log.entryAdded" and about["entry"]["level"] == "error") or (
            name == "Runtime.consoleAPICalled" and about["type"] == "error"
        ):
            self.complaints.append(about)

    def value(self, expression):
        return self.call("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def open(self, address):
        self.call("Page.navigate", url=address)
        self.until("document.readyState === 'complete'")

    def until(self, condition, seconds=60):
        """Whether the condition, an expression, held within that time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.value(condition):
                return True
            time.sleep(0.1)
        return False

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.write)
        os.close(self.read)
