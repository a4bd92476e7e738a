#!/usr/bin/env python3
"""nginx, Apache and lighttpd with the files of nginx/ as they are installed: each serves Cooperage on the host alone at first, then over
TLS, behind a trusted proxy and below a path of another site. On the database of the set of COOPERAGE_TEST_DIR. With names of servers,
those only."""

import shutil
import sys
import time

from web_servers import checks, large_calls, place, uploads
from web_servers.client import Door
from web_servers.program import Program
from web_servers.servers import NAMES, Apache, Lighttpd, Nginx

PREFIX = "/tools/cooperage"


def try_over_tls(server, program, ca):
    door, plain = Door(443, ca), Door(8080, name="127.0.0.1:8080")
    moved = Door(80).ask("GET", "/clusters?a=b")
    checks.expect("port 80", (moved.status, moved.headers["location"]), (301, f"https://{NAMES[0]}/clusters?a=b"))
    refused = Door(80).ask("GET", "/v2/clusters")
    checks.expect("the API on port 80", (refused.status, refused.headers.get("location")), (403, None))
    checks.expect("the second name", Door(443, ca, NAMES[1]).ask("GET", "/status").text, "OK\n")
    checks.expect("the loopback address", plain.ask("GET", "/status").text, "OK\n")
    for check in (checks.takes_forms, checks.makes_and_deletes_a_cluster, checks.serves_static_files,
                  checks.compresses_where_nothing_can_be_learnt, checks.bounds_bodies, checks.refuses_trace, checks.drops_bodies_of_head,
                  checks.refuses_old_tls, checks.protects_all_answers, checks.says_little_of_itself, checks.bounds_logins):
        step(server, check, door)
    if server.asks_who_sends_files:
        for check in (uploads.refuses_strangers_before_their_files, uploads.answers_strangers_in_http_2, uploads.takes_files_of_who_may,
                      uploads.lets_strangers_take_no_place, uploads.slows_down_who_asks_often, large_calls.refuses_strangers_before_large_calls,
                      large_calls.takes_large_calls_of_who_may, large_calls.bounds_what_does_not_say_its_length,
                      large_calls.lets_strangers_take_no_place_of_large_calls):
            step(server, check, door)
    step(server, checks.says_when_the_program_is_away, door, program)
    program.stop()
    if server.asks_who_sends_files:
        step(server, uploads.says_that_the_program_is_away, door)
        step(server, uploads.asks_without_the_body, door)
        step(server, large_calls.asks_about_large_calls_only, door)
        step(server, large_calls.does_not_ask_who_cannot_answer, door)
    step(server, checks.passes_on_what_was_sent, door)
    step(server, checks.passes_on_what_the_program_says, door)
    step(server, checks.holds_slow_bodies_back, door)
    step(server, checks.believes_nobody, plain, door)
    step(server, checks.bounds_requests_of_one_address, door)
    program.start()


def step(server, check, *arguments):
    began = time.monotonic()
    check(server, *arguments)
    print(f"{server.name} {check.__name__.replace('_', ' ')}  ({time.monotonic() - began:.1f} s)", flush=True)


def try_server(server, program, ca):
    server.install()
    server.start()
    try:
        checks.eventually("an answer", 10, Door(8080).answers)
        step(server, checks.answers_on_this_host_only)
        checks.load_catalogue(Door(8080, name="127.0.0.1:8080"))
        server.offer_to_everybody()
        server.trust_proxy()
        server.restart()
        checks.eventually("an answer over TLS", 10, Door(443, ca).answers)
        try_over_tls(server, program, ca)
        step(server, checks.stands_below_a_prefix, program, PREFIX, Door(8080, name="127.0.0.1:8080"))
    finally:
        server.stop()


def main(names):
    for program in ("nginx", "apache2", "lighttpd", "openssl"):
        if shutil.which(program) is None:
            place.die(f"there is no {program}: install nginx-light, apache2, lighttpd, lighttpd-mod-openssl and lighttpd-mod-deflate")
    place.enter()
    ca = place.make_certificates(NAMES)
    tried = 0
    for server in (Nginx(), Apache(), Lighttpd()):
        if names and server.name not in names:
            continue
        program = Program()
        program.start()
        try_server(server, program, ca)
        program.stop()
        tried += 1
    print(f"{tried} passed, 0 failed")


main(sys.argv[1:])
