// The adapter under VS Code's own client of adapters. Arguments: the program that is the adapter, its arguments as
// JSON, Lock.tla, a counterexample. Says "passed" at its end.
const assert = require("assert");
const { DebugClient } = require("@vscode/debugadapter-testsupport");

const [program, given, lock, trace] = process.argv.slice(2);
const TAKE = 22;

async function begun(work) {
  const client = new DebugClient(program, JSON.parse(given), "rmqproof", undefined, true);
  client.defaultTimeout = 120000;
  await client.start();
  await work(client);
  await client.stop();
}

async function main() {
  await begun(async (client) => {
    // launch, a breakpoint, on to it: VS Code's own sequence, which holds the places that are told to those asked for
    await client.hitBreakpoint({ program: lock, stopOnEntry: false }, { path: lock, line: TAKE, verified: true });
    const frames = (await client.stackTraceRequest({ threadId: 1 })).body.stackFrames;
    assert.deepStrictEqual(frames.map((frame) => frame.name), ["3: Take(w1)", "2: Look(w1)", "1: Initial state"]);
    const scopes = (await client.scopesRequest({ frameId: frames[0].id })).body.scopes;
    const state = (await client.variablesRequest({ variablesReference: scopes[0].variablesReference })).body.variables;
    assert.deepStrictEqual(state.map((each) => each.name), ["holder", "at"]);
    const inside = (await client.variablesRequest({ variablesReference: state[1].variablesReference })).body.variables;
    assert.strictEqual(inside[0].value, '"inside"');
    const value = await client.evaluateRequest({ expression: "at[w]", frameId: frames[0].id, context: "watch" });
    assert.strictEqual(value.body.result, '"inside"');
    await Promise.all([client.stepBackRequest({ threadId: 1 }), client.assertStoppedLocation("step", { line: 13 })]);
    const targets = (await client.stepInTargetsRequest({ frameId: 2 })).body.targets;
    assert.ok(targets.some((target) => target.label.endsWith("Look(w2)")));
  });
  await begun(async (client) => {
    await Promise.all([
      client.configurationSequence(),
      client.launch({ program: trace, stopOnEntry: false }),
      client.assertStoppedLocation("exception", { path: lock, line: 19 }),
    ]);
    const said = (await client.exceptionInfoRequest({ threadId: 1 })).body;
    assert.strictEqual(said.exceptionId, "OneInside");
  });
  await begun(async (client) => {
    await client.initializeRequest();
    await assert.rejects(client.launchRequest({ program: "nowhere.tla" }), /no such file/);
  });
  console.log("passed");
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
