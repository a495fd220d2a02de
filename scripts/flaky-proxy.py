#!/usr/bin/env python3
"""Forwards HTTP requests to a server and fails at random, as networks and stores do.

    flaky-proxy.py PORT TARGET_PORT [SHARE]

The proxy fails SHARE of all requests (default: 0.1). It rejects half of these with 503. It forwards the other half but
drops the responses.
"""

import http.client
import random
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PORT, TARGET = int(sys.argv[1]), int(sys.argv[2])
SHARE = float(sys.argv[3]) if len(sys.argv) > 3 else 0.1
HOP_BY_HOP = {"connection", "transfer-encoding", "keep-alive"}


class Proxy(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def pass_on(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        chance = random.random()
        if chance < SHARE / 2:
            self.answer(503, {}, b"<Error><Code>SlowDown</Code></Error>")
            return
        server = http.client.HTTPConnection("127.0.0.1", TARGET, timeout=30)
        server.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
        for name, value in self.headers.items():
            server.putheader(name, value)
        server.endheaders(body)
        response = server.getresponse()
        content = response.read()
        if chance < SHARE:
            # The server has processed the request, but the client gets no response.
            self.close_connection = True
            return
        self.answer(response.status, dict(response.getheaders()), content)

    def answer(self, status, headers, content):
        self.send_response_only(status)
        for name, value in headers.items():
            if name.lower() not in HOP_BY_HOP | {"content-length"}:
                self.send_header(name, value)
        # The response to HEAD reports the length that GET would return, but has no body.
        length = {name.lower(): value for name, value in headers.items()}.get("content-length", str(len(content)))
        self.send_header("Content-Length", length if self.command == "HEAD" else str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    do_GET = do_PUT = do_HEAD = do_POST = do_DELETE = pass_on

    def log_message(self, *arguments):
        pass


ThreadingHTTPServer(("127.0.0.1", PORT), Proxy).serve_forever()
