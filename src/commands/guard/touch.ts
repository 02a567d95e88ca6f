/** `anp guard --touch`: what carrying the guard changes, and making pools and classes carry it. */
import { withSettling } from "../../analyze/diff/change-settles.ts";
import { type Change, compareClusters, type SideCluster } from "../../analyze/diff/compare-clusters.ts";
import type { SideObject } from "../../analyze/diff/side-object.ts";
import type { Touchable, TouchPlan } from "../../cluster/guard/touch.ts";
import { counted } from "../../krm/counted.ts";
import { sameValue } from "../../krm/same-value.ts";
import { idOf, type KubeObject } from "../../model/kube-object.ts";
import { splitAtPolicyEnd } from "../../model/policy-end.ts";
import type { NodeSelectorRequirement } from "../../model/requirement.ts";
import { admitBounds, boundedFieldsOf } from "../../guard/admit-bounds.ts";
import type { Bounds } from "../../guard/guard-bounds.ts";
import type { Profile } from "../../model/profile.ts";
import { formatDiff } from "../../report/diff/formats.ts";
import { printableLines } from "../../report/terminal/printable.ts";
import { BLOCKER } from "../../resolve/resolve-pool.ts";
import type { ColorMode, Context } from "../cli/context.ts";
import { EXIT, type ExitCode } from "../cli/exit-codes.ts";

export interface TouchOptions {
  readonly dryRun?: boolean;
  readonly rate: number;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly color: ColorMode;
}

interface Policy {
  readonly requirements: readonly NodeSelectorRequirement[];
  readonly hasRootVolume: boolean;
  readonly bounds: Bounds;
  readonly profile: Profile;
}

export async function touchCluster(policy: Policy, options: TouchOptions, context: Context): Promise<ExitCode> {
  // All the network, and the packages it takes, are loaded here only.
  const { askCluster, endingSignal, planTouch, touch } = await import("../../cluster/guard/touch.ts");
  const { dryRun = false, rate, kubeconfig, context: kubeContext, color } = options;
  const ended = await askCluster<ExitCode>({ kubeconfig, context: kubeContext }, async (api) => {
    const plan = await planTouch(api, { withClasses: policy.hasRootVolume });
    const foreign = plan.objects.find((object) => !carriesAfter(object, policy));
    if (foreign !== undefined) {
      context.writeError(`anp: ${notInForce(foreign)}\n`);
      return EXIT.no;
    }
    const left = plan.objects.filter(({ carries }) => !carries);
    const refused = left.filter(({ after }) => "refused" in after);
    const able = inOrder(
      left.filter(({ after }) => !("refused" in after)),
      plan,
    );
    const changes = changesOf(able, plan, context.machine.now());
    const style = dryRun ? context.outStyle(color) : context.style(color);
    const said = formatDiff("text", changes, { mode: "raw", style, width: context.outWidth, errors: 0, policies: [] });
    const lines = [
      ...plan.notes.map((note) => `note: ${note}`),
      `${counted(plan.objects.length, "object")}: ${plan.objects.length - left.length} carry the policy, ${able.length} do not, ${refused.length} cannot`,
      ...refused.map(({ before, after }) => `${shown(before)} cannot: ${"refused" in after ? after.refused : ""}`),
    ];
    context.writeError(lines.map((line) => `${printableLines(line)}\n`).join(""));
    if (dryRun) {
      context.writeOut(said);
      return left.length === 0 ? EXIT.done : EXIT.no;
    }
    context.writeError(said);
    const { signal, release } = endingSignal();
    let failed = refused.length;
    let done = 0;
    try {
      const tell = (object: Touchable, words: string | undefined): void => {
        done += 1;
        if (words !== undefined) failed += 1;
        const result = words === undefined ? "carries the policy" : `is refused: ${words}`;
        context.writeError(`${done}/${able.length} ${printableLines(`${shown(object.before)} ${result}`)}\n`);
      };
      await touch(api, able, { perMinute: rate, signal, tell });
    } finally {
      release();
    }
    return failed === 0 ? EXIT.done : EXIT.no;
  });
  if (typeof ended === "number") return ended;
  context.writeError(`anp: ${ended.problem}\n`);
  return EXIT.cluster;
}

/** Whether what the cluster makes of a pool is what this policy asks for; of what it refuses nobody knows. */
function carriesAfter({ kind, after }: Touchable, { requirements, bounds, profile }: Policy): boolean {
  if (kind.kind !== "NodePool" || "refused" in after) return true;
  const fields = boundedFieldsOf(after);
  const bounded = admitBounds(bounds, fields, profile, fields);
  if ("refused" in bounded || bounded.set.length > 0) return false;
  const { front = [] } = splitAtPolicyEnd(requirementsOf(after));
  const isOfAnother = !isOfAws(after);
  return isOfAnother || sameValue(front, requirements) || sameValue(front, [...requirements, BLOCKER]);
}

function requirementsOf({ spec }: KubeObject): readonly NodeSelectorRequirement[] {
  const { template } = spec as { template?: { spec?: { requirements?: readonly NodeSelectorRequirement[] } } };
  return template?.spec?.requirements ?? [];
}

/** The guard leaves pools of other providers as they are. */
function isOfAws({ spec }: KubeObject): boolean {
  const { template } = spec as { template?: { spec?: { nodeClassRef?: { group?: string } } } };
  return template?.spec?.nodeClassRef?.group === "karpenter.k8s.aws";
}

function notInForce({ before }: Touchable): string {
  return `the guard of this policy is not in force: ${printableLines(shown(before))} would not carry it; nothing was touched. Apply what anp guard prints for this policy, and ask again`;
}

/** Those first whose change concerns the fewest nodes: a policy that goes wrong shows early. */
function inOrder(objects: readonly Touchable[], { nodes = [] }: TouchPlan): Touchable[] {
  const concerned = ({ before }: Touchable): number =>
    nodes.filter((node) => (before.kind === "NodePool" ? node.nodePool : node.nodeClass) === before.metadata.name)
      .length;
  return objects.toSorted((a, b) => concerned(a) - concerned(b));
}

/** Milliseconds, as `anp diff` assumes. */
const NODE_TIME = 300_000;

function changesOf(objects: readonly Touchable[], { nodes }: TouchPlan, at: number): Change[] {
  const sideOf = (all: readonly KubeObject[]): SideCluster => ({
    hostedCluster: undefined,
    objects: all.map((object): SideObject => ({
      object,
      written: undefined,
      asItStands: true,
      placeOf: () => undefined,
    })),
    unsure: new Set(),
  });
  const after = objects.flatMap((one) => ("refused" in one.after ? [] : [one.after]));
  const [from, to] = [[sideOf(objects.map(({ before }) => before))], [sideOf(after)]];
  const changes = compareClusters(from, to, []) ?? [];
  return withSettling(changes, from, to, { nodes, at, nodeTime: NODE_TIME });
}

function shown(object: KubeObject): string {
  return idOf(object).replace("/", " ");
}
