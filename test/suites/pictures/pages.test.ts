/** Answers as pages: their content, the same bytes again, only their own style and script, and fleets. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { QUICKSTART, ROOT } from "../../support/process/built.ts";
import { runAnp } from "../../support/process/run-anp.ts";

const DIFF = join(ROOT, "fixtures/cases/diff/money-of-nodes");
const AT = "2026-11-23T09:00:00Z";

interface Page {
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly exit: number;
  /** Text of the page. */
  readonly says: readonly string[];
}

const PAGES: Readonly<Record<string, Page>> = {
  explain: {
    args: ["explain", QUICKSTART],
    exit: 0,
    says: [
      `<h1>anp explain ${QUICKSTART}</h1>`,
      "From 1363 instance types to 7",
      "<code>karpenter.k8s.aws/instance-cpu Gte 8</code>",
      "Instance types: 7 of 1363 left",
      "ruled out by the policy (1356)",
      "Price an hour against vCPUs of what is left",
      "Pools that take the same pods",
      "$0.1632 (m7g.xlarge) to $0.768 (m5.4xlarge)",
      "No findings.",
    ],
  },
  check: {
    args: ["check", QUICKSTART, "--prove"],
    exit: 0,
    says: [
      `<h1>anp check ${QUICKSTART}</h1>`,
      "admits 7 of 1363 instance types",
      "so what a wrapper adds can only narrow it",
      "nodes that run already",
    ],
  },
  diff: {
    args: ["diff", "in", "--against", "old", "--at", AT, "--node-data", "nodes.json"],
    cwd: DIFF,
    exit: 1,
    says: [
      "<h1>anp diff in against old with nodes.json</h1>",
      "Instance types: 1 gained, 1 lost",
      "gained (1)",
      "lost (1)",
      "on neither side (1359)",
      "Nodes of web replaced over time",
      "4 of 6 gone Mon 23 Nov 09:20 at the earliest, 20m from the change",
    ],
  },
  plan: {
    args: ["plan", "in", "--pods", "pods.yaml", "--catalogue", "catalogue.json"],
    cwd: join(ROOT, "fixtures/cases/plan/spread-over-zones"),
    exit: 0,
    says: [
      "<h1>anp plan in</h1>",
      "<b>3</b>new nodes",
      "<title>2 × shop/web: 51.1% of cpu</title>",
      "<title>DaemonSets: 2.6% of cpu</title>",
      "List prices: ",
    ],
  },
  simulate: {
    args: ["simulate", QUICKSTART, "--from", "2026-11-23T00:00:00Z", "--tz", "Europe/Berlin", "--nodes", "web=10"],
    exit: 0,
    says: [
      `<h1>anp simulate ${QUICKSTART}</h1>`,
      "What may be disrupted, Europe/Berlin",
      "Sun 29 Nov",
      "If a change replaced all nodes now",
      "<code>budget-window-shifts</code>",
    ],
  },
};

async function pageOf({ args, cwd = ROOT, exit }: Page): Promise<string> {
  const ran = await runAnp([...args, "-o", "html"], { cwd });
  expect(ran.exit, ran.stderr).toBe(exit);
  return ran.stdout;
}

const sha256 = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

describe.each(Object.entries(PAGES))("the page of anp %s", (_name, page) => {
  it("shows its content, and is the same bytes again", async () => {
    const text = await pageOf(page);
    for (const words of page.says) expect(text).toContain(words);
    expect(await pageOf(page)).toBe(text);
  });

  it("allows only its own script and style, and requests nothing", async () => {
    const text = await pageOf(page);
    const [style = ""] = [...text.matchAll(/<style>([^]*?)<\/style>/g)].map((found) => found[1]!);
    const [script = ""] = [...text.matchAll(/<script>([^]*?)<\/script>/g)].map((found) => found[1]!);
    expect(text).toContain(
      `content="default-src 'none'; style-src ${sha256(style)}; script-src ${sha256(script)}; base-uri 'none'; form-action 'none'"`,
    );
    expect(text.match(/<style|<script/g)).toStrictEqual(["<style", "<script", "<script"]);
    const markup = text.replaceAll(/<(style|script)[^>]*>[^]*?<\/\1>/g, "");
    expect(markup).not.toMatch(/\s(?:style|on\w+|src)=|url\(|<(?:link|img|iframe|object|embed|form)\b/);
    expect([...markup.matchAll(/href="([^"]*)"/g)].filter(([, to]) => !/^#\w+$/.test(to!))).toStrictEqual([]);
    const ids = [...markup.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id!);
    expect(ids.length).toBe(new Set(ids).size);
    const known = new Set(ids);
    const meant = [...markup.matchAll(/(?:href="#|labelledby=")([^"]*)"/g)].flatMap(([, names]) => names!.split(" "));
    expect(meant.filter((id) => !known.has(id))).toStrictEqual([]);
  });
});

const pool = (index: number): string => `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: pool-${String(index).padStart(4, "0")}}
spec:
  weight: ${(index % 100) + 1}
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements:
        - {key: karpenter.k8s.aws/instance-category, operator: In, values: [${["c", "m", "r", "i"][index % 4]!}]}
        - {key: karpenter.k8s.aws/instance-cpu, operator: Lt, values: ["${String(8 + (index % 60))}"]}
        - {key: topology.kubernetes.io/zone, operator: In, values: [us-east-1${["a", "b", "c"][index % 3]!}]}
`;

const fleetOf = (count: number): string => Array.from({ length: count }, (_, index) => pool(index)).join("---\n");

describe("many pools", () => {
  it("are drawn each up to fifty, and each different set of types once", async () => {
    const { stdout } = await runAnp(["explain", "-", "-o", "html"], { input: fleetOf(50) });
    expect(stdout.match(/<section id="p\d+"/g)).toHaveLength(50);
    const drawn = stdout.match(/<symbol id="m\d+vcpu"/g)!.length;
    expect(drawn).toBeLessThan(50);
    expect(stdout.match(/The same types as <a href="#p\d+">above/g)).toHaveLength(50 - drawn);
  });

  it("are drawn as a fleet beyond that, within 3 MB", async () => {
    const { stdout, exit } = await runAnp(["explain", "-", "-o", "html"], { input: fleetOf(1000) });
    expect(exit).toBe(0);
    expect(stdout.length).toBeLessThan(3_000_000);
    expect(stdout).toContain("Which instance types 1000 pools may launch");
    expect(stdout.match(/<button type="button" data-open="\d+">/g)).toHaveLength(1000);
    expect(stdout).not.toContain('<section id="p0"');
  });
});
