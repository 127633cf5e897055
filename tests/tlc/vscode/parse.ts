// Reads outputs of TLC's tool mode with the parser of the extension for TLA+, and writes what it understood: a line of
// JSON for each file that is named. `extension` is the folder of the extension's sources.
import * as fs from "fs";
import { ModelCheckResultSource, SpecFiles, Value } from "extension/src/model/check";
import { TlcModelCheckerStdoutParser } from "extension/src/parsers/tlc";

Value.switchIdsOff();
for (const file of process.argv.slice(2)) {
  let result: unknown;
  const lines = fs.readFileSync(file, "utf-8").split("\n");
  const files = new SpecFiles("/folder/Spec.tla", "/folder/Spec.cfg");
  const parser = new TlcModelCheckerStdoutParser(ModelCheckResultSource.OutFile, lines, files, true, (found: unknown) => {
    result = found;
  });
  const said = parser.readAllSync().getMessages();
  console.log(JSON.stringify({ file, result, said }));
}
