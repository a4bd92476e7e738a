#!/usr/bin/env python3
"""An sshd whose root has gone over: it has the right host key, lets every key in, says yes to every command and then sends packets without
end that nobody asked for. paramiko speaks SSH. Prints its port; ends when its standard input does.

usage: hostile_sshd.py HOST_KEY_FILE KIND

KIND: success (answers to requests that were never made), unknown (of a type that SSH does not have), small (the same, one byte each),
signal (the command was ended by a signal with a long name, again and again).
"""

import os
import socket
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from python_packages import environment  # noqa: E402

PACKAGES = environment("ssh-python", Path(__file__).with_name("hostile_sshd_requirements.txt"))
if Path(sys.prefix) != PACKAGES:
    os.execv(PACKAGES / "bin" / "python", [str(PACKAGES / "bin" / "python"), *sys.argv])

import paramiko  # noqa: E402

LONG = b"x" * 30_000


def packet(kind, channel):
    message = paramiko.Message()
    if kind == "success":
        message.add_byte(bytes([99]))
        message.add_int(channel)
        message.add_bytes(LONG)
    elif kind == "signal":
        message.add_byte(bytes([98]))
        message.add_int(channel)
        message.add_string("exit-signal")
        message.add_boolean(False)
        message.add_string(LONG)
    else:
        message.add_byte(bytes([47]))
        message.add_bytes(LONG if kind == "unknown" else b"x")
    return message


class TurnedServer(paramiko.ServerInterface):
    def __init__(self, transport, kind):
        self.transport = transport
        self.kind = kind

    def get_allowed_auths(self, _):
        return "publickey"

    def check_auth_publickey(self, _, __):
        return paramiko.AUTH_SUCCESSFUL

    def check_channel_request(self, _, __):
        return paramiko.OPEN_SUCCEEDED

    def check_channel_exec_request(self, channel, _):
        threading.Thread(target=self.flood, args=[channel.remote_chanid], daemon=True).start()
        return True

    def flood(self, channel):
        message = packet(self.kind, channel)
        try:
            while self.transport.is_active():
                self.transport.packetizer.send_message(message)
        except (OSError, EOFError):
            pass


def serve(listener, key, kind):
    while True:
        connection, _ = listener.accept()
        transport = paramiko.Transport(connection)
        transport.add_server_key(key)
        transport.start_server(server=TurnedServer(transport, kind))


def main():
    key = paramiko.Ed25519Key.from_private_key_file(sys.argv[1])
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    threading.Thread(target=serve, args=[listener, key, sys.argv[2]], daemon=True).start()
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
