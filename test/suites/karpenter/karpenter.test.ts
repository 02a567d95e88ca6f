/** Compares anp's predictions for pods and pools with a real Karpenter: all scenarios in one cluster. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type ControlPlane, startControlPlane } from "../../support/controlplane/control-plane.ts";
import { CLUSTER } from "../../support/go/programs.ts";
import type { Launch } from "../../support/karpenter/decisions.ts";
import { printedCatalogue, writeInstanceTypes } from "../../support/karpenter/instance-types.ts";
import { outcomeTable } from "../../support/karpenter/outcome-table.ts";
import { forKwok } from "../../support/karpenter/pools.ts";
import { predict, type Prediction, predictRaw } from "../../support/karpenter/prediction.ts";
import { runScenarios, type ScenarioRun } from "../../support/karpenter/scenario-run.ts";
import { SCENARIOS } from "../../support/karpenter/scenarios/all.ts";
import { KEYS, type Scenario } from "../../support/karpenter/scenarios/scenario.ts";
import { type Karpenter, startKarpenter } from "../../support/karpenter/start-karpenter.ts";

const LOG_TAIL = 10_000;

describe("Karpenter", () => {
  let folder: string;
  let controlPlane: ControlPlane;
  let karpenter: Karpenter;
  let run: ScenarioRun;
  let predictions: ReadonlyMap<Scenario, Prediction>;
  /** For the same NodePools without policy and wrappers. */
  let raw: ReadonlyMap<Scenario, Prediction>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "anp-kwok-"));
    const instanceTypes = await writeInstanceTypes(folder);
    controlPlane = await startControlPlane();
    const started = await startKarpenter(controlPlane, instanceTypes);
    karpenter = started;
    run = await runScenarios(karpenter);
    const catalogue = join(folder, "catalogue.json");
    await writeFile(catalogue, await printedCatalogue(instanceTypes));
    const entries: [Scenario, Prediction][] = [];
    for (const scenario of SCENARIOS) entries.push([scenario, await predict(scenario, catalogue)]);
    predictions = new Map(entries);
    const asTheyStand: [Scenario, Prediction][] = [];
    for (const scenario of SCENARIOS) {
      const nodePools = run.rendered.get(scenario)!.pools.map(forKwok);
      asTheyStand.push([scenario, await predictRaw(scenario, nodePools, catalogue, folder)]);
    }
    raw = new Map(asTheyStand);
  });

  afterEach(({ task }) => {
    // oxlint-disable-next-line no-console
    if (task.result?.state === "fail") console.error(karpenter?.log().slice(-LOG_TAIL));
  });

  afterAll(async () => {
    await karpenter?.stop();
    await controlPlane?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test("launches for every pod what the scenarios expect", () => {
    const expected = SCENARIOS.flatMap(({ pods }) => pods.map(({ name, gets }) => [name, gets]));
    const observed = SCENARIOS.flatMap(({ pods }) =>
      pods.map(({ name }) => {
        const launch = launchFor(name);
        return [name, launch === undefined ? "nothing" : { pool: launch.nodePool, types: launch.candidates.length }];
      }),
    );
    expect(Object.fromEntries(observed)).toEqual(Object.fromEntries(expected));
  });

  test.each(["of wrappers and policy", "of the NodePools as they stand"])(
    "launches for every pod what anp predicts %s, from the same instance types",
    (of) => {
      const asked = of === "of wrappers and policy" ? predictions : raw;
      const differences = SCENARIOS.flatMap((scenario) =>
        [...asked.get(scenario)!.pods.values()].flatMap(({ name, takenBy, instanceTypes }) => {
          const predicted = takenBy === null ? undefined : { nodePool: takenBy, candidates: instanceTypes };
          return differenceOf(name, predicted, launchFor(name));
        }),
      );
      expect(differences).toEqual([]);
    },
  );

  test.each(["of wrappers and policy", "of the NodePools as they stand"])(
    "launches nothing for a pool exactly when its verdict %s is unsatisfiable, else from the types that anp names",
    (of) => {
      const asked = of === "of wrappers and policy" ? predictions : raw;
      const plain = SCENARIOS.filter(isPlain);
      expect(plain.length).toBeGreaterThanOrEqual(40);
      const differences = plain.flatMap((scenario) => {
        const { verdict, instanceTypes } = asked.get(scenario)!.pools[0]!;
        const { name } = scenario;
        const nodes = { nodePool: name, candidates: instanceTypes.names };
        return differenceOf(name, verdict === "unsatisfiable" ? undefined : nodes, launchFor(name));
      });
      expect(differences).toEqual([]);
    },
  );

  test("launches nodes for exactly the pools that anp refuses to render", () => {
    const refused = SCENARIOS.filter((scenario) => run.rendered.get(scenario)!.exit !== 0);
    expect(refused).toEqual(SCENARIOS.filter(({ bypassed }) => bypassed));
    for (const scenario of refused) {
      expect(run.rendered.get(scenario)!.said).toContain("[policy-bypassed]");
      expect(predictions.get(scenario)!.pools[0]?.verdict).toBe("bypassed");
      expect(scenario.pods.some(({ name }) => launchFor(name) !== undefined)).toBe(true);
    }
  });

  test("generates a number for a custom label without a value, unless entries contradict or a pod requires its absence", () => {
    const tierOf = (pod: string) => launchFor(pod)?.labels["example.com/tier"];
    expect(tierOf("custom-emptied")).toBeUndefined();
    expect(tierOf("own-contradiction-passed-by")).toBeUndefined();
    expect(tierOf("widened-for-pods")).toBeUndefined();
    expect(tierOf("custom-widened")).toMatch(/^\d+$/);
    expect(["6", "7", "8"]).toContain(tierOf("custom-bounds"));
  });

  test("gives nodes labels outside their policy for the pools that anp refuses, and for pods", () => {
    const labelOf = (pod: string, key: string = KEYS.tier) => launchFor(pod)?.labels[key];
    expect(labelOf("custom-emptied-by-label")).toBe("silver");
    expect(labelOf("label-excluded")).toBe("gold");
    expect(labelOf("label-unwanted")).toBe("gold");
    expect(labelOf("label-of-types-excluded", KEYS.gpus)).toBe("1");
    expect(labelOf("number-excluded")).toBe("5");
    expect(labelOf("policy-number-drifts")).toBe("5");
    expect(labelOf("pod-gets-what-is-excluded")).toBe("5");
  });

  // Kwok itself sets each single value of a NodeClaim as a label; test/suites/oracle compares empty values.
  test("drifts exactly the nodes that the scenarios expect, and anp reports it for the pools that it renders", () => {
    const drifting = SCENARIOS.filter(({ drifts }) => drifts);
    const drifted = SCENARIOS.flatMap(({ pods }) =>
      pods.flatMap(({ name }) => (launchFor(name)?.drifted === undefined ? [] : [[name, launchFor(name)!.drifted]])),
    );
    expect(Object.fromEntries(drifted)).toEqual(
      Object.fromEntries(drifting.flatMap(({ pods }) => pods.map(({ name }) => [name, "RequirementsDrifted"]))),
    );
    const told = SCENARIOS.filter((scenario) => run.rendered.get(scenario)!.said.includes("[drifts-forever]"));
    // Wrappers do not show requirements of pods.
    const ofPods = (name: string) => name.startsWith("pod-gets-");
    expect(told).toEqual(drifting.filter(({ name, bypassed }) => !bypassed && !ofPods(name)));
    const verdicts = told.flatMap((scenario) => predictions.get(scenario)!.pools.map(({ verdict }) => verdict));
    expect(verdicts).toEqual(told.map(() => "narrowed"));
  });

  test("launches one of the types it named", () => {
    const launches = SCENARIOS.flatMap(({ pods }) => pods.flatMap(({ name }) => launchFor(name) ?? []));
    for (const { candidates, labels } of launches)
      expect(candidates).toContain(labels["node.kubernetes.io/instance-type"]);
    expect(launches.length).toBeGreaterThanOrEqual(40);
  });

  test("the table of predicted against launched", async () => {
    await expect(outcomeTable(SCENARIOS, predictions, run.decisions)).toMatchFileSnapshot(
      `outcomes-${CLUSTER.karpenter}.txt`,
    );
  });

  function launchFor(pod: string): Launch | undefined {
    const decision = run.decisions.get(pod)!;
    return "nothing" in decision ? undefined : decision;
  }
});

type Nodes = Pick<Launch, "nodePool" | "candidates">;

/** On one line, because lists of types are long. */
function differenceOf(name: string, predicted: Nodes | undefined, launched: Nodes | undefined): string[] {
  const said = new Set(predicted?.candidates);
  const done = new Set(launched?.candidates);
  const types = [...said.symmetricDifference(done)];
  if (predicted?.nodePool === launched?.nodePool && types.length === 0) return [];
  const sides = [predicted, launched].map((nodes) =>
    nodes ? `${nodes.candidates.length} of ${nodes.nodePool}` : "none",
  );
  return [`${name}: predicted ${sides[0]}, launched ${sides[1]}; not in both: ${types.slice(0, 5).join(", ")}`];
}

/** One pool, and one pod without requirements. */
function isPlain({ pools, pods, daemonRequests }: Scenario): boolean {
  const [pod, ...others] = pods;
  const wishes = Object.keys(pod ?? {}).filter((field) => field !== "name" && field !== "gets");
  const taints = pools.flatMap(({ taints: own }) => own ?? []);
  return pools.length === 1 && others.length + wishes.length + taints.length === 0 && daemonRequests === undefined;
}
