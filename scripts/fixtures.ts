/** Writes the expected outputs of the golden cases anew: read the diff before you commit it. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { goldenCases, run, stdoutFile } from "../test/golden/case.ts";

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
