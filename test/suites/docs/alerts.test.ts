/** The alerts of deploy/ stand in the runbook, word for word, a page among the pages and a ticket among the tickets. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
}

interface Patch {
  readonly op: string;
  readonly value: Rule;
}

function rulesOf(fleet: boolean): Rule[] {
  const manifest = parse(readFileSync("deploy/management/alerts/prometheus-rule.yaml", "utf8")) as {
    spec: { groups: { rules: Rule[] }[] };
  };
  const rules = manifest.spec.groups.flatMap((group) => group.rules);
  if (!fleet) return rules;
  const { patches } = parse(readFileSync("deploy/fleet/alerts/kustomization.yaml", "utf8")) as {
    patches: { patch: string }[];
  };
  const first = (parse(patches[0]!.patch) as Patch[]).find(({ op }) => op === "replace")!.value;
  return [first, ...rules.slice(1)];
}

test.each([false, true])(
  "each alert of deploy/ is in its table of the runbook, of replicas that share: %s",
  (fleet) => {
    const rules = rulesOf(fleet);
    const page = readFileSync("docs/watch-runbook.md", "utf8");
    const tables = { critical: page.indexOf("worth waking"), warning: page.indexOf("worth a ticket") };
    const told = rules.map(({ expr, for: long, labels }) => {
      const at = page.indexOf(`| \`${expr.replaceAll("|", "\\|")}\` | ${long} |`);
      const severity = at > tables.warning ? "warning" : at > tables.critical ? "critical" : "not there";
      return [expr, severity, labels.severity];
    });
    expect(told).toEqual(told.map(([expr, , severity]) => [expr, severity, severity]));
    expect(rules.map(({ alert }) => alert)).toHaveLength(5);
  },
);

test("who leads is asked only of those that elect a leader, and shards of those that share", () => {
  const asked = [false, true].map((fleet) => JSON.stringify(rulesOf(fleet)).match(/anp_(?:leader|shards)/g));
  expect(asked.map((names) => [...new Set(names)])).toEqual([["anp_leader"], ["anp_shards"]]);
});
