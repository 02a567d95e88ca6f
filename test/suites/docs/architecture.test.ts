/** docs/architecture.md: its table names the functions that decide each rule, and it describes every room of src/. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../support/process/built.ts";

const PAGE = readFileSync(join(ROOT, "docs/architecture.md"), "utf8");

const rules = [...PAGE.matchAll(/^\| (.+) \| \[`([\w/-]+\.ts)`\]\(\.\.\/src\/([\w/-]+\.ts)\) `(\w+)` \|$/gm)].map(
  ([, rule = "", shown = "", file = "", name = ""]) => ({ rule, shown, file, name }),
);

/** A piece of the deciding code of each row: it compares or chooses. A call would be true of a coordinator, too. */
const DECIDES: Readonly<Record<string, string>> = {
  "analyze/explain/read-events.ts messagesIn": "one.end <= start || one.start >= end",
  "analyze/check/explain-event.ts foundBy": "part.pool === null ? known.all : pools",
  "model/inputs/make-bundle.ts makeBundle": "policy.name === POLICY_NAME",
  "model/inputs/extended-policies.ts chooseBase": "tree !== only.document.source.tree",
  "resolve/policy.ts withoutPolicy": "required.length > 0) return { value: undefined",
  "karpenter/requirements/merged-key.ts mergeKey": 'presence === "always" && isEmpty(effective)',
  "render/merge-requirements.ts mergeRequirements": 'one.outcome === "bypassed" && onBypass === "Block"',
  "guard/pool-variables.ts poolVariables": "variables.policy + (variables.holds ? []",
  "guard/guarded-key.ts merge": 'if (isOfClass && !absent) return "false"',
  "resolve/root-volume.ts decideRootVolume": "volumeSize ?? BUILT_IN_ROOT_VOLUME.volumeSize",
  "render/tags.ts renderTags": "platforms?.fixed !== true",
  "model/objects/role.ts roleOf": 'kind === "OpenshiftNodePool" ? "node-pool" : "node-class"',
  "model/objects/input-mode.ts inputMode": '? "raw" : "hosted"',
  "krm/read/manifest-names.ts reasonToSkip": 'type === "other"',
  "karpenter/catalogue/type-filter.ts typesOf": "asked !== undefined && !goTogether(needed, asked)",
  "karpenter/node-class/node-resources.ts nodeOf": "family === BOTTLEROCKET ? pods : byInterfaces",
  "karpenter/scheduling/pod-volumes.ts volumeOf": 'typeof bound === "string" && bound !== ""',
  "analyze/explain/explain-pool.ts obstaclesOf": 'blocking.size > 0 ? ["requirements-conflict"',
  "analyze/explain/explain-pool.ts verdictOf": 'if (obstacles.length > 0) return "unsatisfiable"',
  "analyze/diff/policies/compare-policies.ts comparePolicies":
    'haveCommonNodes(old, now) ? "incomparable" : "disjoint"',
  "analyze/disrupt/node-blockers.ts nodeBlockers": 'of === "eventual" && node.drainEnd !== undefined',
  "karpenter/consolidation/consolidate.ts consolidate": 'if (more.length > 0) return { why: "several-nodes"',
  "analyze/running/node-lifetime.ts whenReplaced": 'longest !== undefined ? "by"',
  "analyze/nodes/node-prices.ts possibleReplacements": 'if (isNone(roomy)) return "none"',
  "analyze/consolidate/all-moves.ts allMoves": "before !== undefined",
  "analyze/diff/offers/attribute-changes.ts attributeChanges": "likely.length > 0 && ",
  "analyze/explain/describe-explanation.ts describeExplanation": "pool.policy === undefined ? null",
  "report/html/markup.ts textOf": "if (piece instanceof Markup) return",
  "cluster/objects/policy-mode.ts decideByPolicy": 'onPolicyUnreadable === "Permissive"',
  "cluster/plan/plan-prune.ts kept": "wrappers.size === 0 && !options.allowEmpty",
  "cluster/plan/plan-prune.ts mayBeReleased": "rawNodePools && pruneBlocked === undefined",
  "analyze/explain/judge-pool.ts excessOf": "if (isBlocked(written)) return []",
  "cluster/plan/plan-prune.ts limited": "counted.length <= maxPrune",
  "cluster/shards/assign-shards.ts movesOf": "missing > 0 ? Math.max(0, least - mine)",
  "cluster/lease/crashes.ts afterCrash": "(crashes.get(cluster)?.count ?? 0) + 1",
  "cluster/run/crashed-clusters.ts waitMsOf": "if (count <= CHANCE) return LAST_MS",
  "cluster/limits/limited-pools.ts limitBudget": "atOnce > room ? room : undefined",
  "cluster/apply/conflicting-writers.ts pauseMs": "isOfSpec ? MINUTE_MS",
  "mcp/confined-path.ts confinedPath": "if (!isWithin(real, root)) throw",
  "mcp/ask-command.ts permissions": "usesGit || builds !== undefined",
  "commands/cli/exit-codes.ts exitCodeOfAnswer": 'if (failOn === "never") return EXIT.done',
};

/** From its name to the brace that closes it at the same depth; without comments. */
function codeOf(file: string, name: string): string {
  const path = join(ROOT, "src", file);
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const start = new RegExp(`^(?:export )?(?:async )?function ${name}[<(]`, "m").exec(text)?.index;
  if (start === undefined) return "";
  const code = text.slice(start, text.indexOf("\n}\n", start) + 2);
  return code.replaceAll(/^\s*\/\/.*$/gm, "");
}

function decides(file: string, name: string, piece: string): boolean {
  return codeOf(file, name).includes(piece);
}

describe("the function that decides", () => {
  it("has a piece of code here for each row of the table, and the reverse", () => {
    const named = rules.map(({ file, name }) => `${file} ${name}`);
    expect(named.toSorted()).toStrictEqual(Object.keys(DECIDES).toSorted());
  });

  it.each(rules)("$rule", ({ shown, file, name }) => {
    expect(file).toBe(shown);
    const piece = DECIDES[`${file} ${name}`] ?? "";
    expect(piece).toMatch(/[=!]==|[<>?]|&&|\bif\b/);
    expect(codeOf(file, name)).toContain(piece);
  });

  // Each is exported and calls the function that decides.
  it.each<[coordinator: string, name: string, rule: string]>([
    ["guard/guard.ts", "guard", "guard/pool-variables.ts poolVariables"],
    ["guard/guarded-key.ts", "guardedKeys", "guard/guarded-key.ts merge"],
    ["analyze/running/convergence.ts", "convergenceOf", "analyze/running/node-lifetime.ts whenReplaced"],
    ["analyze/explain/explain-pool.ts", "explainPool", "analyze/explain/explain-pool.ts verdictOf"],
    ["cluster/plan/plan-prune.ts", "planPrune", "cluster/plan/plan-prune.ts kept"],
    ["commands/cli/exit-codes.ts", "exitCodeOf", "commands/cli/exit-codes.ts exitCodeOfAnswer"],
  ])("is not its coordinator: %s %s", (file, name, rule) => {
    expect(codeOf(file, name)).not.toBe("");
    expect(decides(file, name, DECIDES[rule]!)).toBe(false);
  });
});

/** Their folders are rooms; the other stages have none. */
const STAGES_WITH_ROOMS = ["krm", "model", "karpenter", "analyze", "report", "cluster", "commands"];

describe("the rooms", () => {
  const cells = new Map(
    [...PAGE.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, stage = "", text = ""]) => [stage, text]),
  );

  it.each(STAGES_WITH_ROOMS)("of %s are all named", (stage) => {
    const rooms = readdirSync(join(ROOT, "src", stage), { withFileTypes: true }).filter((one) => one.isDirectory());
    const unnamed = rooms.map(({ name }) => name).filter((name) => !cells.get(stage)?.includes(`\`${name}\``));
    expect(unnamed).toStrictEqual([]);
  });

  it("include every command by its name", () => {
    const commands = readdirSync(join(ROOT, "src/commands")).filter((name) => /^[\w-]+\.ts$/.test(name));
    const words = cells.get("commands") ?? "";
    expect(commands.map((name) => name.replace(".ts", "")).filter((name) => !words.includes(name))).toStrictEqual([]);
  });
});
