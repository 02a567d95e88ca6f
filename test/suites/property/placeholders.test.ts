/** Tests that no finding is about a placeholder's value, and that no verdict is sure of what a placeholder decides. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { placeholdersIn } from "../../../src/krm/values/placeholders.ts";
import { folderWith, policy } from "../../support/process/inputs.ts";
import { runAnp } from "../../support/process/run-anp.ts";
import { seedOf } from "../../support/property/seed.ts";

type Path = readonly (string | number)[];

const POOL = {
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name: "web", labels: { team: "shop" } },
  spec: {
    weight: 10,
    limits: { cpu: "100", memory: "400Gi" },
    disruption: {
      consolidationPolicy: "WhenEmpty",
      consolidateAfter: "5m",
      budgets: [
        { nodes: "10%" },
        { nodes: "0", schedule: "0 9 * * mon-fri", duration: "8h", reasons: ["Underutilized"] },
      ],
    },
    template: {
      metadata: { labels: { team: "shop" }, annotations: { note: "x" } },
      spec: {
        nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" },
        expireAfter: "720h",
        terminationGracePeriod: "24h",
        taints: [{ key: "dedicated", value: "web", effect: "NoSchedule" }],
        startupTaints: [{ key: "example.com/agent", effect: "NoExecute" }],
        requirements: [
          { key: "karpenter.k8s.aws/instance-category", operator: "In", values: ["m", "c"], minValues: 2 },
          { key: "karpenter.k8s.aws/instance-generation", operator: "Gt", values: ["5"] },
          { key: "kubernetes.io/arch", operator: "In", values: ["amd64"] },
          { key: "karpenter.sh/capacity-type", operator: "In", values: ["on-demand"] },
        ],
      },
    },
  },
};

const CLASS = {
  apiVersion: "karpenter.k8s.aws/v1",
  kind: "EC2NodeClass",
  metadata: { name: "default" },
  spec: {
    role: "nodes",
    amiFamily: "AL2023",
    amiSelectorTerms: [{ alias: "al2023@v20260601" }],
    subnetSelectorTerms: [{ tags: { "karpenter.sh/discovery": "prod" } }],
    securityGroupSelectorTerms: [{ tags: { "karpenter.sh/discovery": "prod" } }],
    blockDeviceMappings: [{ deviceName: "/dev/xvda", ebs: { volumeSize: "50Gi", volumeType: "gp3", encrypted: true } }],
    kubelet: { maxPods: 110, clusterDNS: ["10.0.0.10"], systemReserved: { cpu: "100m" } },
    metadataOptions: { httpTokens: "required", httpPutResponseHopLimit: 1 },
    tags: { team: "shop" },
    detailedMonitoring: true,
  },
};

/** The fields that decide about instance types, zones or whether there are nodes. */
const DECIDING =
  /^spec\.(?:limits|template\.(?:spec\.requirements|metadata\.labels|spec\.nodeClassRef\.(?:group|kind)))/;

/** Every path below `spec`, of scalars and of lists and mappings. */
function pathsIn(value: unknown, path: Path = ["spec"]): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const below = Object.entries(value).flatMap(([key, item]) =>
    pathsIn(item, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return path.length > 1 ? [path, ...below] : below;
}

function replaced(value: unknown, [key, ...rest]: Path, text: string): unknown {
  if (key === undefined) return text;
  if (Array.isArray(value)) return value.map((item: unknown, at) => (at === key ? replaced(item, rest, text) : item));
  const fields = value as Record<string, unknown>;
  return { ...fields, [key]: replaced(fields[key], rest, text) };
}

const FORMS = ["${X}", "a-${X}", "$X", "<<X>>", "__X__", "{{ X }}", "{{ .Values.x }}", "${var.x}"];

interface Answers {
  readonly found: readonly { readonly code: string; readonly field?: string; readonly message: string }[];
  readonly verdict: string | undefined;
}

async function ask(objects: readonly object[], ...more: string[]): Promise<Answers> {
  const cwd = folderWith({ "in.yaml": objects.map((object) => JSON.stringify(object, null, 1)).join("\n---\n") });
  const checked = await runAnp(["check", "in.yaml", "-o", "json", ...more], { cwd });
  const explained = await runAnp(["explain", "in.yaml", "-o", "json", ...more], { cwd });
  const { findings } = JSON.parse(checked.stdout) as { findings: Answers["found"] };
  const { nodePools } = JSON.parse(explained.stdout) as { nodePools: { verdict: string }[] };
  return { found: findings, verdict: nodePools[0]?.verdict };
}

const keyOf = ({ code, field = "" }: Answers["found"][number]) => `${code} ${field}`;

function textOf(path: Path): string {
  return path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`))
    .join("")
    .slice(1);
}

const CASES = [
  ...pathsIn(POOL.spec).map((path) => ["NodePool", path] as const),
  ...pathsIn(CLASS.spec).map((path) => ["EC2NodeClass", path] as const),
];

describe("a placeholder in place of a field", () => {
  it("has no finding about its value, and the verdict is unknown where it decides", async () => {
    const known = new Set((await ask([POOL, CLASS])).found.map(keyOf));
    const wrong: string[] = [];
    for (const [index, [kind, path]] of CASES.entries()) {
      const form = FORMS[index % FORMS.length]!;
      const objects = [POOL, CLASS].map((one) => (one.kind === kind ? (replaced(one, path, form) as object) : one));
      const { found, verdict } = await ask(objects);
      const others = found.filter((one) => !known.has(keyOf(one)) && one.code !== "placeholder-unfilled");
      const infos = found.length - found.filter(({ code }) => code !== "placeholder-unfilled").length;
      const isDeciding = kind === "NodePool" && DECIDING.test(textOf(path));
      // The pool is kept in any case.
      const isRight = isDeciding ? verdict === "unknown" : verdict === "ok" || verdict === "unknown";
      if (others.length > 0 || infos !== 1 || !isRight)
        wrong.push([kind, textOf(path), form, infos, verdict, ...others.map(({ message }) => message)].join(" "));
    }
    expect(wrong).toStrictEqual([]);
  }, 120_000);

  it("has none either where there are several", async () => {
    const some = fc.uniqueArray(fc.constantFrom(...CASES), { minLength: 2, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(some, fc.constantFrom(...FORMS), async (cases, form) => {
        const objects = [POOL, CLASS].map((one) => {
          const paths = cases.flatMap(([kind, path]) => (kind === one.kind ? [path] : []));
          const isInside = (path: Path, other: Path) =>
            other.length < path.length && other.every((part, at) => part === path[at]);
          const outer = paths.filter((path) => !paths.some((other) => isInside(path, other)));
          return outer.reduce<object>((object, path) => replaced(object, path, form) as object, one);
        });
        const { found, verdict } = await ask(objects);
        const aboutText = found.filter(
          ({ code, message }) => code !== "placeholder-unfilled" && placeholdersIn(message).length > 0,
        );
        expect(aboutText).toStrictEqual([]);
        const decides = cases.some(([kind, path]) => kind === "NodePool" && DECIDING.test(textOf(path)));
        expect(decides ? ["unknown"] : ["ok", "unknown"]).toContain(verdict);
      }),
      { numRuns: 30, seed: seedOf("placeholders", 20_261_127) },
    );
  }, 120_000);

  it("gives the answer of the value once it is filled", async () => {
    const scalars = CASES.filter(([kind, path]) => kind === "NodePool" && typeof at(POOL, path) !== "object");
    const whole = await ask([POOL, CLASS]);
    for (const [, path] of scalars) {
      const value = at(POOL, path);
      const text = JSON.stringify(replaced(POOL, path, "${X}")).replace(
        /"\$\{X\}"/,
        typeof value === "string" ? '"${X}"' : "${X}",
      );
      const cwd = folderWith({ "in.yaml": `${text.replace(/^\{/, "{ ")}\n---\n${JSON.stringify(CLASS)}` });
      const checked = await runAnp(["check", "in.yaml", "-o", "json", "--set", `X=${String(value)}`], { cwd });
      const { findings } = JSON.parse(checked.stdout) as { findings: Answers["found"] };
      expect(findings.map(keyOf), textOf(path)).toStrictEqual(whole.found.map(keyOf));
    }
  }, 120_000);
});

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown>)[key], value);
}

describe("where there is something to defend", () => {
  it("a placeholder is the text that it is, and never softens a judgement", async () => {
    const pool = replaced(POOL, ["spec", "template", "spec", "requirements", 0, "values", 0], "${X}") as object;
    const files = { "in/pool.json": JSON.stringify(pool), "policy.yaml": policy() };
    const cwd = folderWith(files);
    for (const args of [
      ["in", "--policy", "policy.yaml"],
      ["in", "policy.yaml"],
      ["in", "--hosted-cluster", "a"],
    ]) {
      const { exit, stdout } = await runAnp(["check", ...args, "-o", "json"], { cwd });
      const { findings } = JSON.parse(stdout) as { findings: Answers["found"] };
      expect(exit === 0 ? args : []).toStrictEqual([]);
      expect(findings.map(({ code }) => code)).not.toContain("placeholder-unfilled");
    }
    for (const command of ["render", "adopt", "migrate"]) {
      const { stdout, stderr } = await runAnp([command, "in"], { cwd });
      expect(stdout + stderr).not.toContain("placeholder");
    }
  });

  it("a default of the file is not taken", async () => {
    const values = ["spec", "template", "spec", "requirements", 2, "values", 0];
    const pool = replaced(POOL, values, "${X:-amd64}") as object;
    const cwd = folderWith({ "in/pool.json": JSON.stringify(pool), "policy.yaml": policy() });
    const { exit, stdout } = await runAnp(["check", "in", "--policy", "policy.yaml"], { cwd });
    expect([exit, stdout]).toStrictEqual([1, expect.stringContaining("[node-pool-invalid]")]);
    const filled = await runAnp(["check", "in", "--policy", "policy.yaml", "--set", "X=amd64"], { cwd });
    expect(filled.stdout).not.toContain("node-pool-invalid");
  });
});

describe("values", () => {
  it("fill a scalar, whatever they hold", async () => {
    const hostile = 'a\n---\napiVersion: v1\nkind: Secret # {"x": [1]}';
    const pool = replaced(POOL, ["metadata", "labels", "team"], "${X}") as object;
    const cwd = folderWith({
      "in.json": JSON.stringify(pool),
      "v.env": `Y="hunter2"\nX='${JSON.stringify(hostile)}'\n`,
    });
    for (const args of [
      ["--set", `X=${hostile}`],
      ["--env-file", "v.env"],
    ]) {
      const { stdout, stderr } = await runAnp(["check", "in.json", "-o", "json", ...args], { cwd });
      const { findings } = JSON.parse(stdout) as { findings: { resource?: { kind: string } }[] };
      expect(findings.every(({ resource }) => resource === undefined || resource.kind === "NodePool")).toBe(true);
      expect(stdout + stderr).not.toContain("hunter2");
    }
  });

  it("are not shown, apart from names of objects", async () => {
    const shown: string[] = [];
    const strings = CASES.filter(([kind, path]) => {
      const value = at(kind === "NodePool" ? POOL : CLASS, path);
      return typeof value === "string" && !textOf(path).includes("nodeClassRef");
    });
    for (const [kind, path] of strings) {
      const objects = [POOL, CLASS].map((one) => (one.kind === kind ? (replaced(one, path, "${X}") as object) : one));
      const cwd = folderWith({
        "in.json": objects.map((one) => JSON.stringify(one)).join("\n---\n"),
        "old.json": [POOL, CLASS].map((one) => JSON.stringify(one)).join("\n---\n"),
      });
      for (const args of [
        ["explain", "in.json"],
        ["explain", "in.json", "-o", "json"],
        ["check", "in.json"],
        ["check", "in.json", "-o", "json"],
        ["diff", "in.json", "--against", "old.json"],
        ["diff", "old.json", "--against", "in.json", "-o", "json"],
      ]) {
        const { stdout, stderr } = await runAnp([...args, "--set", "X=hunter2"], { cwd });
        if (/hunter2/.test(stdout + stderr)) shown.push(`${args.join(" ")}: ${kind} ${textOf(path)}`);
      }
    }
    expect(shown).toStrictEqual([]);
  }, 240_000);

  it("are not in messages about the options", async () => {
    const cwd = folderWith({ "in.json": JSON.stringify(POOL), "v.env": "hunter2\n" });
    for (const args of [
      ["--set", "hunter2"],
      ["--set", "=hunter2"],
      ["--env-file", "v.env"],
    ]) {
      const { exit, stdout, stderr } = await runAnp(["explain", "in.json", ...args], { cwd });
      expect([exit === 0, stdout]).toStrictEqual([false, ""]);
      expect(stderr).not.toContain("hunter2");
    }
  });
});
