# SPDX-License-Identifier: Apache-2.0
#
# ovs-appctl without a process for every question: a trial must start and stop
# on time.

import json
import os
import socket

from harness.failure import Failure


class Control:
    def __init__(self, switch):
        self.path = os.path.join(switch.dir, "ovs-vswitchd.%d.ctl"
                                 % switch.vswitchd.pid)
        self.switch = switch
        self.socket = None

    def _connect(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(30)
        self.socket.connect(self.path)

    def ask(self, command, *words):
        """The text of the answer."""
        try:
            if not self.socket:
                self._connect()
            self.socket.sendall(json.dumps(
                {"id": 0, "method": command,
                 "params": [str(w) for w in words]}).encode())
            answer = self._answer()
        except OSError as error:
            self.switch.check()
            raise Failure("%s: %s" % (command, error)) from error
        if answer.get("error"):
            raise Failure("%s: %s" % (command, str(answer["error"]).strip()))
        return answer["result"] or ""

    def _answer(self):
        data = b""
        while True:
            more = self.socket.recv(65536)
            if not more:
                raise OSError("the switch closed the connection")
            data += more
            try:
                return json.loads(data)
            except ValueError:
                continue
