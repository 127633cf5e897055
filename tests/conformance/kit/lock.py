"""A lock with a queue, driven by JSON lines. Nothing of rmqproof is needed. With a port it is a server."""

import copy
import json
import os
import socketserver
import sys
import time

BROKEN = os.environ.get("LOCK_BROKEN", "")


class Lock:
    def __init__(self):
        self.holder, self.waiting, self.served = None, [], []

    def Ask(self, client):
        if client in self.waiting or client == self.holder:
            return False
        self.waiting.append(client)
        return True

    def Grant(self):
        if self.holder is not None or not self.waiting:
            return False
        self.holder = self.waiting.pop(-1 if BROKEN == "order" else 0)
        self.served = sorted({*self.served, self.holder})
        return True

    def GiveUp(self, client):
        if client not in self.waiting:
            return False
        if BROKEN == "dies":
            print("giving up, too", file=sys.stderr)
            os._exit(3)
        self.waiting.remove(client)
        return True

    def Release(self, client):
        if client != self.holder:
            return False
        while BROKEN == "hangs":
            time.sleep(60)
        self.holder = None
        return True


class Session:
    """One implementation, and the answers of it."""

    def answer(self, request):
        match request["do"]:
            case "hello":
                return {"protocol": 1, "initial": 1, "snapshots": True}
            case "initial":
                self.lock = Lock()
                return {}
            case "perform":
                done = getattr(self.lock, request["action"])(*request["arguments"])
                return {"answer": "performed" if done else "refused"}
            case "observe":
                holder = self.lock.holder
                lock = {"held": holder is not None, "holder": holder or "nobody"}
                return {"state": {"lock": lock, "waiting": self.lock.waiting, "served": {"#set": self.lock.served}}}
            case "snapshot":
                return {"snapshot": copy.deepcopy(vars(self.lock))}
            case "restore":
                vars(self.lock).update(copy.deepcopy(request["snapshot"]))
                return {}
            case other:
                return {"error": f"no idea what {other} is"}

    def serve(self, requests, answers):
        for line in requests:
            answers.write((json.dumps(self.answer(json.loads(line))) + "\n").encode())
            answers.flush()


class Connection(socketserver.StreamRequestHandler):
    def handle(self):
        Session().serve(self.rfile, self.wfile)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        with socketserver.ThreadingTCPServer(("127.0.0.1", int(sys.argv[1])), Connection) as server:
            server.daemon_threads = True
            print(server.server_address[1], flush=True)
            server.serve_forever()
    else:
        Session().serve(sys.stdin.buffer, sys.stdout.buffer)
