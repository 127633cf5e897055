// What the parser of the extension for TLA+ uses of VS Code: places. Everything else is there and does nothing.
class Position {
  constructor(line, character) {
    this.line = line;
    this.character = character;
  }
}
class Range {
  constructor(...places) {
    const [start, end] = places.length === 4 ? [new Position(...places.slice(0, 2)), new Position(...places.slice(2))] : places;
    this.start = start;
    this.end = end;
  }
}
class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity });
  }
}
const nothing = new Proxy(function () {}, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => "" : nothing),
  apply: () => nothing,
  construct: () => nothing,
});
const known = { Position, Range, Diagnostic, DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 } };
module.exports = new Proxy(known, { get: (found, name) => (name in found ? found[name] : nothing) });
