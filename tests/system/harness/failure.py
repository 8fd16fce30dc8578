# SPDX-License-Identifier: Apache-2.0
#
# The one exception that is meant for the reader.  Whoever runs a program of
# ours sees what went wrong and what to do about it, never a traceback.


class Failure(Exception):
    """'what' went wrong; 'hint' says what to do, if we know."""

    def __init__(self, what, hint=None):
        super().__init__(what)
        self.what = what
        self.hint = hint
