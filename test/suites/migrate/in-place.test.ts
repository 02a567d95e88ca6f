/**
 * Tests migration in place for any YAML style: unchanged text keeps its bytes and comments, and the result parses as
 * planned.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseSources } from "../../../src/krm/parse/parse.ts";
import { rewriteSources } from "../../../src/krm/edit/rewrite-sources.ts";
import { editOf } from "../../../src/migrate/migration.ts";
import { migrate } from "../../../src/migrate/migrate.ts";
import { testSource } from "../../support/source.ts";
import { ec2NodeClass, nodeClaim, nodePool } from "../../support/oracle-v1beta1/arbitraries.ts";
import { seedOf } from "../../support/property/seed.ts";
import { type Style, style, styled } from "../../support/migrate/styled.ts";

const deployment = fc.constant({ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "x" }, spec: { a: 1 } });
const object = fc.oneof(
  nodePool("v1beta1"),
  nodePool("v1"),
  nodeClaim("v1beta1"),
  ec2NodeClass("v1beta1"),
  ec2NodeClass("v1"),
  deployment,
);
/** Without the fields that its conditions lose. */
const poolOfNow = nodePool("v1beta1").filter((pool) => !JSON.stringify(pool).includes('"severity"'));
const documents = fc.array(fc.tuple(object, style), { minLength: 1, maxLength: 5 });
const options = fc.record({ to: fc.constantFrom("v1" as const, "v1beta1" as const), compat: fc.boolean() });

const seed = seedOf("migrating in place", 20_261_121);
const RENAMED = { apiVersion: "group", group: "apiVersion" };

describe("migrating in place", () => {
  test("writes the planned changes, and keeps every other document", () => {
    let [changedDocuments, untouched, anew] = [0, 0, 0];
    fc.assert(
      fc.property(documents, options, (input, { to, compat }) => {
        const parts = input.map(([value, how], index) => textOf(value, how, index));
        const source = testSource(parts.join(""));
        const { value: resources, findings } = parseSources([source]);
        expect(findings).toStrictEqual([]);
        const { value: plan } = migrate(resources, { to, compat, profile: "karpenter-1.14" });
        const rewritten = rewriteSources(plan.map(editOf), RENAMED);
        const text = rewritten.texts.get(source) ?? source.text;
        const again = parseSources([testSource(text)]);
        expect(again.findings).toStrictEqual([]);
        const planned = resources.flatMap((resource) => {
          const migration = plan.find((one) => one.resource === resource);
          if (migration === undefined) return [resource.value];
          return [migration.value, ...migration.split.map(({ value }) => value)];
        });
        expect(again.value.map(({ value }) => value)).toStrictEqual(planned);
        for (const resource of resources) {
          if (plan.some((one) => one.resource === resource)) continue;
          untouched += 1;
          const { start, end } = resource.document;
          expect(text).toContain(source.text.slice(start, end));
        }
        changedDocuments += plan.length;
        anew += rewritten.anew.length;
      }),
      { seed, numRuns: 400 },
    );
    console.log(`migrating in place: ${changedDocuments} changed, ${untouched} untouched, ${anew} written anew`);
    expect(changedDocuments).toBeGreaterThan(250);
    expect(untouched).toBeGreaterThan(100);
    expect(anew).toBe(0);
  });

  test("keeps the comments of remaining fields", () => {
    let kept = 0;
    fc.assert(
      fc.property(poolOfNow, style, (pool, how) => {
        const source = testSource(textOf(pool, how, 0));
        const { value: resources } = parseSources([source]);
        const { value: plan } = migrate(resources, { to: "v1", compat: false, profile: "karpenter-1.14" });
        const text = rewriteSources(plan.map(editOf), RENAMED).texts.get(source) ?? source.text;
        for (const line of source.text.split("\n")) {
          const comment = /# (o0-\S+)/.exec(line)?.[1];
          if (comment === undefined || isOfGoneField(source.text, line)) continue;
          kept += 1;
          expect(text).toContain(comment);
        }
      }),
      { seed, numRuns: 300 },
    );
    expect(kept).toBeGreaterThan(150);
  });
});

function textOf(value: Parameters<typeof styled>[0], how: Style, index: number): string {
  return styled(value, { ...how, marker: how.marker || index > 0 }, `o${index}`);
}

/** Fields that v1 moves or drops, with everything below them. */
function isOfGoneField(text: string, line: string): boolean {
  const at = text.indexOf(line);
  const before = text.slice(0, at + line.length).split("\n");
  const rest = text.slice(at).split("\n");
  const start = line.trimStart().startsWith("#") ? rest.findIndex((one) => !one.trimStart().startsWith("#")) : 0;
  const own = rest[start] ?? "";
  // A dash belongs to the indentation of an item's fields.
  const indent = (one: string): number => one.search(/[^\s-]/);
  let depth = indent(own);
  const keys = [own];
  for (const one of before.toReversed()) {
    if (one.trim() === "" || one.trimStart().startsWith("#") || indent(one) >= depth) continue;
    keys.push(one);
    depth = indent(one);
  }
  return keys.some((key) => /\b(kubelet|resources|disruption|nodeClassRef|conditions|annotations|metadata):/.test(key));
}
