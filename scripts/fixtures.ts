/** Rewrites the golden cases' expected outputs, the JSON Schemas and docs/fields.md: read the diff. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { jsonSchemaText } from "../src/model/crds/json-schema.ts";
import { goldenCases, run, stdoutFile } from "../test/support/golden/case.ts";
import { answersPage } from "./answers-page.ts";
import { fieldsPage } from "./fields-page.ts";
import { jsonSchemas, kindSchemas } from "./json-schemas.ts";

const SCHEMAS = join(import.meta.dirname, "../schemas");

rmSync(SCHEMAS, { recursive: true });
for (const [name, schema] of Object.entries({ ...jsonSchemas(), ...kindSchemas() })) {
  const file = join(SCHEMAS, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, jsonSchemaText(schema));
}

for (const { name, folder, args, exit } of goldenCases()) {
  const result = await run(folder, args);
  for (const [file, text] of [
    [stdoutFile(args), result.stdout],
    ["stderr.txt", result.stderr],
  ] as const) {
    if (text === "") rmSync(join(folder, file), { force: true });
    else writeFileSync(join(folder, file), text);
  }
  if (result.exit !== exit) console.error(`${name}: exit ${result.exit}, but case.yaml expects ${exit}`);
}

writeFileSync(join(import.meta.dirname, "../docs/fields.md"), await fieldsPage());
writeFileSync(join(import.meta.dirname, "../docs/answers.md"), answersPage());
