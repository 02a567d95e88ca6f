/** `anp diff` of policies: two files, two directories, a git ref; and exit codes of `--fail-on-looser`. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Ended, ROOT } from "../../support/process/built.ts";
import { addFiles, folderWith, policy, pool } from "../../support/process/inputs.ts";
import { repository } from "../../support/process/repositories.ts";
import { runAnp } from "../../support/process/run-anp.ts";

const TYPES = "node.kubernetes.io/instance-type";
const wide = policy("clusters-shop", "[m5.large, m5.xlarge]", TYPES);
const narrow = policy("clusters-shop", "[m5.xlarge]", TYPES);
const other = policy("clusters-bank", "[m5.xlarge, c5.large]", TYPES);
const none =
  "{apiVersion: hypershift.openshift.io/v1beta1, kind: HostedControlPlane, metadata: {name: shop, namespace: clusters-shop}, spec: {}}\n";

const diff = (cwd: string, ...args: string[]): Promise<Ended> => runAnp(["diff", ...args], { cwd });

const under = (folder: string, files: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));

interface Told {
  readonly hostedCluster?: string;
  readonly action: string;
  readonly relation: string;
  readonly witnesses: Readonly<Record<"gained" | "lost", { readonly wrapper: object } | null>>;
  readonly pools: readonly object[];
}

async function policies(cwd: string, ...args: string[]): Promise<readonly Told[]> {
  const { stdout, exit, stderr } = await diff(cwd, ...args, "-o", "json");
  expect([0, 1], stderr).toContain(exit);
  return (JSON.parse(stdout) as { policies: Told[] }).policies;
}

const relations = (all: readonly Told[]): string[] =>
  all.map(({ hostedCluster = "", action, relation }) => `${hostedCluster} ${action} ${relation}`.trim());

describe("anp diff of policies", () => {
  const files = {
    "wide.yaml": wide,
    "narrow.yaml": narrow,
    "other.yaml": other,
    "in/policy.yaml": narrow,
    "in/web.yaml": pool("web"),
    "old/policy.yaml": wide,
    "old/web.yaml": pool("web"),
    "gone/hcp.yaml": none,
    "gone/web.yaml": pool("web"),
    "bare/web.yaml": pool("web"),
  };

  it.each([
    ["narrow.yaml", "wide.yaml", ["changed tighter"], 1],
    ["wide.yaml", "narrow.yaml", ["changed looser"], 1],
    ["other.yaml", "wide.yaml", ["changed incomparable"], 1],
    ["wide.yaml", "wide.yaml", [], 0],
    ["in", "old", ["changed tighter"], 1],
    ["gone", "old", ["removed looser"], 1],
    ["old", "gone", ["added tighter"], 1],
    ["old", "bare", ["added tighter"], 1],
  ])("relates %s to %s", async (now, old, expected, exit) => {
    const folder = folderWith(files);
    expect(relations(await policies(folder, now, "--against", old))).toStrictEqual(expected);
    expect((await diff(folder, now, "--against", old)).exit).toBe(exit);
  });

  it("says which pools are touched, and how", async () => {
    const folder = folderWith({
      ...files,
      "in/large.yaml": pool("large", `[{key: ${TYPES}, operator: In, values: [m5.large]}]`),
    });
    const [told] = await policies(folder, "in", "--against", "old");
    expect(told?.pools).toStrictEqual([
      { name: "large", verdict: { from: "ok", to: "unsatisfiable" }, types: { gained: 0, lost: 1 } },
      { name: "web", verdict: { from: "ok", to: "ok" }, types: { gained: 0, lost: 1 } },
    ]);
  });

  it("leaves out pools that are not affected", async () => {
    const only = pool("web", `[{key: ${TYPES}, operator: In, values: [m5.xlarge]}]`);
    const folder = folderWith({ ...files, "in/web.yaml": only, "old/web.yaml": only });
    expect(await policies(folder, "in", "--against", "old")).toMatchObject([{ relation: "tighter", pools: [] }]);
  });

  it("prints wrappers that explain confirms without changes", async () => {
    const folder = folderWith(files);
    const [told] = await policies(folder, "other.yaml", "--against", "wide.yaml");
    const verdict = async (under: string, side: "gained" | "lost"): Promise<unknown> => {
      addFiles(folder, { "witness.json": JSON.stringify(told?.witnesses[side]?.wrapper) });
      const { stdout } = await runAnp(["explain", "witness.json", under, "-o", "json", "--fail-on", "never"], {
        cwd: folder,
      });
      const { nodePools } = JSON.parse(stdout) as { nodePools: { verdict: string }[] };
      return nodePools.map((one) => one.verdict);
    };
    expect(await verdict("other.yaml", "gained")).toStrictEqual(["ok"]);
    expect(await verdict("wide.yaml", "gained")).toStrictEqual(["unsatisfiable"]);
    expect(await verdict("other.yaml", "lost")).toStrictEqual(["unsatisfiable"]);
    expect(await verdict("wide.yaml", "lost")).toStrictEqual(["ok"]);
  });

  it("compares over the catalogue that is named", async () => {
    const folder = folderWith({
      "old.yaml": policy("clusters-shop", "[m5]", "karpenter.k8s.aws/instance-family"),
      "new.yaml": policy("clusters-shop", "[m5, c5]", "karpenter.k8s.aws/instance-family"),
    });
    const catalogue = join(ROOT, "fixtures/cases/check/unknown-zone/catalogue.json");
    expect((await diff(folder, "new.yaml", "--against", "old.yaml")).stdout).toContain("lets in c5.12xlarge");
    const named = ["new.yaml", "--against", "old.yaml", "--catalogue", catalogue];
    expect((await diff(folder, ...named)).stdout).toContain("a type that the catalogue does not know");
  });

  it("compares each hosted cluster separately, one that is new among them", async () => {
    const folder = folderWith({
      "in/shop/policy.yaml": wide,
      "in/shop/web.yaml": pool("web"),
      "in/bank/policy.yaml": other,
      "in/bank/web.yaml": pool("web"),
      "in/mill/policy.yaml": policy("clusters-mill"),
      "in/mill/web.yaml": pool("web"),
      "old/shop/policy.yaml": narrow,
      "old/shop/web.yaml": pool("web"),
      "old/bank/policy.yaml": other,
      "old/bank/web.yaml": pool("web"),
    });
    expect(relations(await policies(folder, "in", "--against", "old"))).toStrictEqual([
      "clusters-mill added tighter",
      "clusters-shop changed looser",
    ]);
    expect(relations(await policies(folder, "old", "--against", "in"))).toStrictEqual([
      "clusters-mill removed looser",
      "clusters-shop changed tighter",
    ]);
  });
});

describe("anp diff --fail-on-looser", () => {
  const gate = (cwd: string, ...args: string[]): Promise<Ended> => diff(cwd, ...args, "--fail-on-looser");

  it("accepts a tighter policy, whatever its effect on objects, and refuses a looser one", async () => {
    const tighter = repository({ "in/policy.yaml": wide, "in/web.yaml": pool("web") }, { "in/policy.yaml": narrow });
    expect(await gate(tighter, "in", "--against", "main")).toMatchObject({ exit: 0, stderr: "" });
    const looser = repository({ "in/policy.yaml": narrow, "in/web.yaml": pool("web") }, { "in/policy.yaml": wide });
    expect(await gate(looser, "in", "--against", "main")).toMatchObject({
      exit: 1,
      stderr: `in/policy.yaml:4: error: AutoNodePolicy default may only get tighter without an approval: it lets in m5.large (${TYPES} m5.large) [--fail-on-looser]\n`,
    });
  });

  it.each([
    ["its namespace", policy("clusters-bank", "[m5.large, m5.xlarge]", TYPES), 3],
    ["its name", wide.replace("name: default", "name: standard"), 1],
    ["the order of its values", policy("clusters-shop", "[m5.xlarge, m5.large]", TYPES), 0],
    ["nothing but a comment", `# the shop\n${wide}`, 0],
    ["an unknown field", wide.replace("nodePoolDefaults", "nodePoolDefault"), 3],
  ])("of a policy that changes %s", async (_what, text, exit) => {
    const bank = { "bank/policy.yaml": policy("clusters-mill"), "bank/web.yaml": pool("web") };
    const shop = { "shop/hcp.yaml": none, "shop/web.yaml": pool("web") };
    const folder = folderWith({
      ...under("old", { ...bank, ...shop, "shop/policy.yaml": wide }),
      ...under("in", { ...bank, ...shop, "shop/policy.yaml": text }),
    });
    const ended = await gate(folder, "in", "--against", "old");
    expect(ended.exit, ended.stderr).toBe(exit);
  });

  it("treats a policy that is given to another hosted cluster as removed", async () => {
    const moved = { "bank/policy.yaml": other, "bank/web.yaml": pool("web"), "shop/web.yaml": pool("web") };
    const folder = folderWith({
      ...under("old", { ...moved, "shop/policy.yaml": wide }),
      ...under("in", { ...moved, "shop/policy.yaml": wide.replace("clusters-shop", "clusters-mill") }),
    });
    const { exit, stderr } = await gate(folder, "in", "--against", "old");
    expect([exit, stderr]).toStrictEqual([
      1,
      `old/shop/policy.yaml:4: error: clusters-shop AutoNodePolicy default may only get tighter without an approval: it is gone; it lets in a1.2xlarge (${TYPES} a1.2xlarge) [--fail-on-looser]\n`,
    ]);
  });

  it("requires sides that hold policies", async () => {
    const folder = folderWith({ "in/policy.yaml": wide, "in/web.yaml": pool("web") });
    expect((await runAnp(["render", "in", "--output-dir", "out"], { cwd: folder })).exit).toBe(0);
    const against = await gate(folder, "in", "--against", "out");
    expect([against.exit, against.stdout]).toStrictEqual([2, ""]);
    expect(against.stderr).toContain("--fail-on-looser compares policies, and one side holds none");
    const live = await gate(folder, "in", "--live");
    expect([live.exit, live.stdout]).toStrictEqual([2, ""]);
    expect(live.stderr).toContain("--fail-on-looser compares policies, and a hosted cluster holds none");
  });

  it("counts findings on request", async () => {
    const conflict = pool("web", `[{key: ${TYPES}, operator: In, values: [c5.large]}]`);
    const folder = folderWith({
      "in/policy.yaml": narrow,
      "in/web.yaml": conflict,
      "old/policy.yaml": wide,
      "old/web.yaml": conflict,
    });
    expect((await gate(folder, "in", "--against", "old")).exit).toBe(0);
    expect((await gate(folder, "in", "--against", "old", "--fail-on", "warning")).exit).toBe(1);
  });
});
