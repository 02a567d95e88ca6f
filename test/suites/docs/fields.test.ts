/** docs/fields.md agrees with models, rendering and golden cases, and docs/answers.md with the schemas. */
import { expect, it } from "vitest";
import { answersPage } from "../../../scripts/answers-page.ts";
import { fieldsPage } from "../../../scripts/fields-page.ts";
import { readPage } from "../../support/docs/page.ts";

it("is current: npm run fixtures writes it", async () => {
  expect(readPage("docs/fields.md")).toBe(await fieldsPage());
}, 120_000);

it("has a page of answers that is current: npm run fixtures writes it", () => {
  expect(readPage("docs/answers.md")).toBe(answersPage());
});

it("shows the rendered form of every field that Karpenter also has", () => {
  const kept = ["spec.disruption.nodeLimitMode", "spec.version"];
  const rows = readPage("docs/fields.md")
    .split("\n## RenderConfig\n")[0]!
    .matchAll(/^\| `(spec[^`]*)` \|(.*)\|$/gm);
  const cells = [...rows].map(([, field = "", rest = ""]) => ({ field, cells: rest.split(" | ") }));
  expect(cells.length).toBeGreaterThan(80);
  const isLeaf = (field: string) =>
    !cells.some((other) => other.field.startsWith(`${field}.`) || other.field.startsWith(`${field}[`));
  const without = cells.filter(({ field, cells: [, , , becomes] }) => isLeaf(field) && becomes === "");
  expect(without.map(({ field }) => field)).toStrictEqual(kept);
});
