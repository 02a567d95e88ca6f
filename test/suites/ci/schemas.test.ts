/** The files for the hosts match their published schemas. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { ROOT } from "../../support/process/built.ts";

const FILES = [
  ["action.yml", "github-action"],
  ["integrations/github/workflow.yml", "github-workflow"],
  ["integrations/gitlab/.gitlab-ci.yml", "gitlab-ci"],
  [".pre-commit-hooks.yaml", "pre-commit-hooks"],
] as const;

describe.each(FILES)("%s", (file, schema) => {
  const validate = validatorOf(schema);
  const content = parse(readFileSync(join(ROOT, file), "utf8")) as Record<string, unknown>;

  it("is valid", () => {
    validate(content);
    expect(validate.errors).toBeNull();
  });

  it("would not be with an additional field", () => {
    const first = Array.isArray(content) ? [{ ...(content[0] as object), entyr: 1 }] : { ...content, jbos: 1 };
    expect(validate(first)).toBe(false);
  });
});

function validatorOf(schema: string) {
  const ajv = new Ajv({ strict: false, allErrors: true });
  // The exports of a CommonJS package depend on its importer.
  (addFormats as unknown as (ajv: Ajv) => void)(ajv);
  return ajv.compile(JSON.parse(readFileSync(join(import.meta.dirname, `schemas/${schema}.json`), "utf8")) as object);
}
