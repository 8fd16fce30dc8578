# SPDX-License-Identifier: Apache-2.0
#
# ovs-appctl without a process for every question: for what has to happen on
# time, or is timed.

import json
import os
import socket
import time

from .failure import Failure

PATIENCE = 120


class Control:
    def __init__(self, switch):
        self.path = os.path.join(switch.dir, "ovs-vswitchd.%d.ctl"
                                 % switch.vswitchd.pid)
        self.switch = switch
        self.socket = None
        self.seconds = None         # That the last answer took to be there.

    def _connect(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(self.path)

    def ask(self, command, *words):
        """The text of the answer."""
        try:
            if not self.socket:
                self._connect()
            start = time.monotonic()
            self.socket.sendall(json.dumps(
                {"id": 0, "method": command,
                 "params": [str(w) for w in words]}).encode())
            answer = self._answer(start)
        except OSError as error:
            self.switch.check()
            raise Failure("%s: %s" % (command, error)) from error
        if answer.get("error"):
            raise Failure("%s: %s" % (command, str(answer["error"]).strip()))
        return answer["result"] or ""

    def _answer(self, start):
        data = bytearray()
        while True:
            more = self.socket.recv(1 << 20)
            if not more:
                raise OSError("the switch closed the connection")
            data += more
            if not data[-16:].rstrip().endswith(b"}"):
                continue
            self.seconds = time.monotonic() - start
            try:
                return json.loads(data)
            except ValueError:
                continue            # The '}' was one in a string.
