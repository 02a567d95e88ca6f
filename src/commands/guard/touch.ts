/** `anp guard --touch`: patches pools and classes so that the guard applies to them. */
import type { SideCluster, SideObject } from "../../analyze/diff/sides.ts";
import type { Touchable, TouchPlan } from "../../cluster/guard/touch.ts";
import { counted } from "../../krm/values/counted.ts";
import { idOf, type KubeObject } from "../../model/objects/kube-object.ts";
import { memoize } from "../../model/schema/memoize.ts";
import { formatDiff } from "../../report/diff/formats.ts";
import { printableLines } from "../../report/terminal/printable.ts";
import type { ColorMode, Context } from "../cli/context.ts";
import { EXIT, type ExitCode } from "../cli/exit-codes.ts";
import { answerDiff, type DiffAnswer } from "../diff/answer.ts";
import { catalogues, pricesFor } from "../input/load-catalogue.ts";
import { carriesAfter, type TouchedPolicy, withUnknownRoots } from "./carries-after.ts";
import { type Fates, touchJson } from "./touch-json.ts";

interface TouchOptions {
  readonly dryRun?: boolean;
  readonly rate: number;
  readonly output: "yaml" | "json";
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly color: ColorMode;
}

export async function touchCluster(policy: TouchedPolicy, options: TouchOptions, context: Context): Promise<ExitCode> {
  // Network code and its packages are loaded only here.
  const { askCluster, shutdownSignal, planTouch, touch } = await import("../../cluster/run/live-queries.ts");
  const { dryRun = false, rate, output, kubeconfig, context: kubeContext, color } = options;
  const isJson = output === "json";
  const fates: Fates = { inForce: true, plan: undefined, answer: undefined, touched: new Map() };
  const ended = await askCluster<ExitCode>({ kubeconfig, context: kubeContext }, async (api) => {
    const plan = withUnknownRoots(await planTouch(api, { withClasses: policy.hasRootVolume }), policy);
    fates.plan = plan;
    const foreign = plan.objects.find((object) => !carriesAfter(object, policy));
    if (foreign !== undefined) {
      fates.inForce = false;
      context.writeError(`anp: ${notInForce(foreign)}\n`);
      return EXIT.no;
    }
    const left = plan.objects.filter(({ carries }) => !carries);
    const refused = left.filter(({ after }) => "refused" in after);
    const able = inOrder(
      left.filter(({ after }) => !("refused" in after)),
      plan,
    );
    const answer = answerTouch(plan, context);
    fates.answer = answer;
    const lines = [
      ...plan.notes.map((note) => `note: ${note}`),
      `${counted(plan.objects.length, "object")}: ${plan.objects.length - left.length} carry the policy, ${able.length} do not, ${refused.length} cannot`,
      ...refused.map(({ before, after }) => `${shown(before)} cannot: ${"refused" in after ? after.refused : ""}`),
    ];
    context.writeError(lines.map((line) => `${printableLines(line)}\n`).join(""));
    if (!isJson) {
      const style = dryRun ? context.outStyle(color) : context.style(color);
      const text = formatDiff("text", answer.changes, { mode: "raw", style, width: context.outWidth, ...answer });
      if (dryRun) context.writeOut(text);
      else context.writeError(text);
    }
    if (dryRun) return left.length === 0 ? EXIT.done : EXIT.no;
    const { signal, release } = shutdownSignal();
    try {
      const report = (object: Touchable, words: string | undefined): void => {
        fates.touched.set(object, words);
        const result = words === undefined ? "carries the policy" : `is refused: ${words}`;
        context.writeError(
          `${fates.touched.size}/${able.length} ${printableLines(`${shown(object.before)} ${result}`)}\n`,
        );
      };
      await touch(api, able, { perMinute: rate, signal, report });
    } finally {
      release();
    }
    const failed = refused.length + [...fates.touched.values()].filter((words) => words !== undefined).length;
    return failed === 0 ? EXIT.done : EXIT.no;
  });
  const problem = typeof ended === "number" ? undefined : ended.problem;
  if (problem !== undefined) context.writeError(`anp: ${problem}\n`);
  if (isJson) context.writeOut(touchJson(fates, { dryRun, problem }));
  return typeof ended === "number" ? ended : EXIT.cluster;
}

function notInForce({ before }: Touchable): string {
  return `the guard of this policy is not in force: ${printableLines(shown(before))} would not carry it; nothing was patched. Apply the output of anp guard for this policy, and try again`;
}

/** Objects that change the fewest nodes come first, so that the effects of a wrong policy show early. */
function inOrder(objects: readonly Touchable[], { nodes = [] }: TouchPlan): Touchable[] {
  const concerned = ({ before }: Touchable): number =>
    nodes.filter((node) => (before.kind === "NodePool" ? node.nodePool : node.nodeClass) === before.metadata.name)
      .length;
  return objects.toSorted((a, b) => concerned(a) - concerned(b));
}

function shown(object: KubeObject): string {
  return idOf(object).replace("/", " ");
}

/** Nanoseconds, the default of `anp diff`. */
const NODE_TIME = 300_000_000_000n;

/** Unchanged node classes are on both sides, because they determine the nodes of pools. */
function answerTouch({ objects, classes, nodes }: TouchPlan, context: Context): DiffAnswer {
  const sideOf = (all: readonly KubeObject[]): SideCluster => ({
    hostedCluster: undefined,
    objects: [...classes, ...all].map((object): SideObject => ({
      object,
      asItStands: true,
      isImposed: true,
      placeOf: () => undefined,
    })),
    unsure: new Set(),
  });
  const catalogueFor = catalogues(undefined, context);
  const prices = memoize(() => pricesFor(catalogueFor, {}, context));
  return answerDiff({
    mode: "raw",
    from: [sideOf(objects.map(({ before }) => before))],
    to: [sideOf(objects.map(({ before, after }) => ("refused" in after ? before : after)))],
    ignore: [],
    profile: undefined,
    nodes,
    at: context.machine.now(),
    nodeTime: NODE_TIME,
    catalogueFor,
    pricesFor: (settings) => prices()(settings),
  });
}
