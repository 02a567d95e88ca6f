/** The runbook has the alerts of deploy/ unchanged: each in the table of its severity, and with a section of its own. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { headingsOf, readPage } from "../../support/docs/page.ts";

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly runbook_url: string };
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
    const found = rules.map(({ expr, for: long, labels }) => {
      const at = page.indexOf(`| \`${expr.replaceAll("|", "\\|")}\` | ${long} |`);
      const severity = at > tables.warning ? "warning" : at > tables.critical ? "critical" : "not there";
      return [expr, severity, labels.severity];
    });
    expect(found).toEqual(found.map(([expr, , severity]) => [expr, severity, severity]));
    expect(rules.map(({ alert }) => alert)).toHaveLength(5);
  },
);

test("each alert has a runbook_url to its section of the runbook, and each such section has an alert", () => {
  const alerts = new Map([...rulesOf(false), ...rulesOf(true)].map((rule) => [rule.alert, rule]));
  const sections = [...alerts.keys()].map((name) => name.toLowerCase());
  const urls = [...alerts.values()].map(({ annotations }) => annotations.runbook_url);
  expect(urls).toEqual(sections.map((section) => `docs/watch-runbook.md#${section}`));
  const headings = headingsOf(readPage("docs/watch-runbook.md")).filter((heading) => heading.startsWith("anp"));
  expect(headings.toSorted()).toEqual(sections.toSorted());
});

test("alerts on the leader are for replicas that elect one, and alerts on shards for replicas that share clusters", () => {
  const metrics = [false, true].map((fleet) => JSON.stringify(rulesOf(fleet)).match(/anp_(?:leader|shards)/g));
  expect(metrics.map((names) => [...new Set(names)])).toEqual([["anp_leader"], ["anp_shards"]]);
});
