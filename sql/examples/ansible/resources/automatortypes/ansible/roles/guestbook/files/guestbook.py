#!/usr/bin/python3
"""A guestbook: GET shows what was written, POST writes a line. What the cluster's configuration says is in settings.json, never in here."""
import html
import http.server
import json
import urllib.parse

import pymysql

with open("/opt/guestbook/settings.json", encoding="utf-8") as file:
    SETTINGS = json.load(file)
NODE = html.escape(SETTINGS["node"])


def query(text, *values):
    with pymysql.connect(host=SETTINGS["host"], user="guestbook", password=SETTINGS["password"], database="guestbook",
                         connect_timeout=3, autocommit=True) as connection, connection.cursor() as cursor:
        cursor.execute(text, values)
        return cursor.fetchall()


class Page(http.server.BaseHTTPRequestHandler):
    def send(self, status, text):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        if status == 303:
            self.send_header("Location", "/")
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        try:
            entries = query("SELECT written_at, words FROM entry ORDER BY id DESC LIMIT 20")
        except pymysql.MySQLError as error:
            return self.send(503, f"The database does not answer: {html.escape(str(error))}\n")
        title = html.escape(SETTINGS["title"])
        lines = "".join(f"<li>{when}: {html.escape(words)}</li>" for when, words in entries)
        return self.send(200, f"<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title><h1>{title}</h1>"
                              f"<form method=post><input name=words aria-label=Words required><button>Write</button></form>"
                              f"<ul>{lines}</ul><p>Served by <b>{NODE}</b>.</p></html>\n")

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        words = urllib.parse.parse_qs(body).get("words", [""])[0].strip()
        if not words:
            return self.send(400, "words: must be given\n")
        query("INSERT INTO entry (words) VALUES (%s)", words)
        return self.send(303, "")

    def log_message(self, *arguments):
        pass


http.server.ThreadingHTTPServer(("0.0.0.0", SETTINGS["port"]), Page).serve_forever()
