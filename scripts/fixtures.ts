/** Writes the expected outputs of the golden cases and the JSON Schemas anew: read the diff before you commit it. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { goldenCases, run, stdoutFile } from "../test/support/golden/case.ts";
import { jsonSchemas } from "./json-schemas.ts";

for (const [name, schema] of Object.entries(jsonSchemas()))
  writeFileSync(join(import.meta.dirname, "../schemas", name), `${JSON.stringify(schema, undefined, 2)}\n`);

for (const { name, folder, args, exit } of goldenCases()) {
  const result = await run(folder, args);
  for (const [file, text] of [
    [stdoutFile(args), result.stdout],
    ["stderr.txt", result.stderr],
  ] as const) {
    if (text === "") rmSync(join(folder, file), { force: true });
    else writeFileSync(join(folder, file), text);
  }
  if (result.exit !== exit) console.error(`${name}: exit ${result.exit}, and case.yaml says ${exit}`);
}
