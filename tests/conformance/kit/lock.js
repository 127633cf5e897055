// A lock with a queue, driven by JSON lines on standard input.
const BROKEN = process.env.LOCK_BROKEN || "";
let lock;

const actions = {
  Ask(client) {
    if (lock.waiting.includes(client) || lock.holder === client) return false;
    lock.waiting.push(client);
    return true;
  },
  Grant() {
    if (lock.holder !== null || lock.waiting.length === 0) return false;
    lock.holder = BROKEN === "order" ? lock.waiting.pop() : lock.waiting.shift();
    if (!lock.served.includes(lock.holder)) lock.served.push(lock.holder);
    return true;
  },
  GiveUp(client) {
    if (!lock.waiting.includes(client)) return false;
    if (BROKEN === "dies") throw new Error("giving up, too");
    lock.waiting = lock.waiting.filter((other) => other !== client);
    return true;
  },
  Release(client) {
    if (lock.holder !== client) return false;
    while (BROKEN === "hangs");
    lock.holder = null;
    return true;
  },
};

function answer(request) {
  switch (request.do) {
    case "hello":
      return { protocol: 1, initial: 1, snapshots: true };
    case "initial":
      lock = { holder: null, waiting: [], served: [] };
      return {};
    case "perform":
      return { answer: actions[request.action](...request.arguments) ? "performed" : "refused" };
    case "observe":
      return {
        state: {
          lock: { held: lock.holder !== null, holder: lock.holder ?? "nobody" },
          waiting: lock.waiting,
          served: { "#set": lock.served },
        },
      };
    case "snapshot":
      return { snapshot: lock };
    case "restore":
      lock = request.snapshot;
      return {};
    default:
      return { error: `no idea what ${request.do} is` };
  }
}

require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => process.stdout.write(JSON.stringify(answer(JSON.parse(line))) + "\n"));
