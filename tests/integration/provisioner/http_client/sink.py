#!/usr/bin/env python3
"""A receiver of syslog: appends what it gets to a file. Prints its port; ends when its standard input does.

usage: sink.py FILE PORT [CERTIFICATE KEY]      PORT 0: any; with certificate and key it speaks TLS;
                                                 FILE "-": breaks each connection at once
"""

import socket
import ssl
import struct
import sys
import threading


def take(connection, context, path):
    try:
        if path == "-":
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()
            return
        if context:
            connection = context.wrap_socket(connection, server_side=True)
        with open(path, "ab") as file:
            while data := connection.recv(65536):
                file.write(data)
                file.flush()
        connection.close()
    except OSError:
        pass


def main():
    path, port, *certificate = sys.argv[1:]
    context = None
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate)
    server = socket.create_server(("127.0.0.1", int(port)))
    print(server.getsockname()[1], flush=True)

    def accept():
        while True:
            connection, _ = server.accept()
            threading.Thread(target=take, args=(connection, context, path), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    sys.stdin.read()


main()
