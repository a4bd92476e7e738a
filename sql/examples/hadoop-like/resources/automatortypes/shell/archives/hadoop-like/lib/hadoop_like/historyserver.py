"""Remembers the jobs that ended."""
import json

from .common import DATA, serve


def run():
    file = DATA / "historyserver" / "jobs.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    jobs = json.loads(file.read_text()) if file.exists() else []

    def add(_, body):
        jobs.append(json.loads(body))
        file.write_text(json.dumps(jobs))
        return {"ok": True}

    serve(19888, {"POST /jobs": add, "GET /jobs": lambda *_: jobs, "GET /status": lambda *_: {"jobs": len(jobs)}})
