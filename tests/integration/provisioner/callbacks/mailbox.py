#!/usr/bin/env python3
"""A server of mail: appends what it takes to a file, a JSON object a line. Prints its port; ends when its standard input does.

usage: mailbox.py FILE [--port PORT] [--refuse CODE] [--refuse-sender CODE] [--refuse-text CODE]
                  [--hang] [--hang-at-end] [--account USER PASSWORD] [--tls CERTIFICATE KEY]"""

import argparse
import email
import email.policy
import json
import socket
import ssl
import sys
import time

# Of Debian's package, whichever Python runs this.
sys.path.append("/usr/lib/python3/dist-packages")

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword


class Mailbox:
    def __init__(self, options):
        self.options = options

    async def handle_MAIL(self, server, session, envelope, address, mail_options):
        if self.options.refuse_sender:
            return f"{self.options.refuse_sender} not you"
        envelope.mail_from = address
        return "250 OK"

    async def handle_QUIT(self, server, session, envelope):
        if self.options.hang_at_end:
            time.sleep(30)
        return "221 Bye"

    async def handle_RCPT(self, server, session, envelope, address, rcpt_options):
        if self.options.hang:
            time.sleep(30)
        if self.options.refuse:
            return f"{self.options.refuse} no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if self.options.refuse_text:
            return f"{self.options.refuse_text} not this"
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        with open(self.options.file, "a") as file:
            json.dump({
                "from": envelope.mail_from,
                "to": envelope.rcpt_tos,
                "subject": mail["subject"],
                "id": mail["message-id"],
                "body": mail.get_content().replace("\r\n", "\n"),
                "tls": session.ssl is not None,
                "defects": [repr(defect) for defect in mail.defects],
            }, file)
            file.write("\n")
        return "250 OK"


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--refuse", default="")
    parser.add_argument("--refuse-sender", default="")
    parser.add_argument("--refuse-text", default="")
    parser.add_argument("--hang-at-end", action="store_true")
    parser.add_argument("--hang", action="store_true")
    parser.add_argument("--account", nargs=2)
    parser.add_argument("--tls", nargs=2)
    options = parser.parse_args()
    more = {}
    if options.tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*options.tls)
        more.update(tls_context=context, require_starttls=True)
    if options.account:
        wanted = LoginPassword(*(word.encode() for word in options.account))

        def authenticate(server, session, envelope, mechanism, given):
            return AuthResult(success=given == wanted)

        more.update(authenticator=authenticate, auth_required=True, auth_require_tls=bool(options.tls))
    controller = Controller(Mailbox(options), hostname="127.0.0.1", port=options.port or free_port(), **more)
    controller.start()
    print(controller.port, flush=True)
    sys.stdin.read()


main()
