/** Tests that a real Karpenter with the same prices launches the cheapest type that anp predicts. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { possibleReplacements } from "../../../src/analyze/nodes/node-prices.ts";
import { type ExplainedCluster, explainClusters } from "../../../src/analyze/explain/explain.ts";
import { remainingTypes } from "../../../src/analyze/explain/remaining-types.ts";
import { readNodeData } from "../../../src/analyze/nodes/node-data.ts";
import type { Catalogue } from "../../../src/karpenter/catalogue/catalogue.ts";
import type { Price } from "../../../src/karpenter/catalogue/price-index.ts";
import { readCatalogue } from "../../../src/karpenter/catalogue/read-catalogue.ts";
import { shippedCatalogue, shippedPrices } from "../../../src/library/shipped-catalogue.ts";
import { resolve } from "../../../src/resolve/resolve.ts";
import { makeBundle } from "../../support/bundle.ts";
import { type ControlPlane, startControlPlane } from "../../support/controlplane/control-plane.ts";
import type { Launch } from "../../support/karpenter/decisions.ts";
import { printedCatalogue } from "../../support/karpenter/instance-types.ts";
import { type EC2Type, ec2Types, LIST_PRICES } from "../../support/karpenter/prices/ec2-types.ts";
import { AT_LIST_PRICE, PRICED, WITH_ROOM, WITH_SPOT } from "../../support/karpenter/prices/scenarios.ts";
import { anpInput } from "../../support/karpenter/scenario-input.ts";
import { launchScenarios, type ScenarioRun } from "../../support/karpenter/scenario-run.ts";
import { KEYS, type Scenario } from "../../support/karpenter/scenarios/scenario.ts";
import { type Karpenter, startKarpenter } from "../../support/karpenter/start-karpenter.ts";

describe("Karpenter with the prices of EC2", () => {
  const types = ec2Types();
  let folder: string;
  let controlPlane: ControlPlane;
  let karpenter: Karpenter;
  let run: ScenarioRun;
  /** As Karpenter prints them: types, offerings and their prices. */
  let catalogue: Catalogue;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "anp-prices-"));
    const file = join(folder, "instance-types.json");
    await writeFile(file, JSON.stringify(types));
    controlPlane = await startControlPlane();
    karpenter = await startKarpenter(controlPlane, file);
    run = await launchScenarios(karpenter, PRICED);
    const read = readCatalogue(await printedCatalogue(file), "kwok");
    if ("problem" in read) throw new Error(read.problem.message);
    ({ catalogue } = read);
  });

  afterEach(({ task }) => {
    // oxlint-disable-next-line no-console
    if (task.result?.state === "fail") console.error(karpenter?.log().slice(-10_000));
  });

  afterAll(async () => {
    await karpenter?.stop();
    await controlPlane?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Without the type's name: of two equal prices either is right. */
  const launched = ({ name }: Scenario): string => {
    const decision = run.decisions.get(name)!;
    if ("nothing" in decision) return `${name}: nothing`;
    return `${name}: ${String(priceOf(decision, types))} ${String(decision.labels[KEYS.capacity])}`;
  };
  const predicted = ({ name }: Scenario, price: Price | "none" | undefined): string =>
    typeof price === "object" ? `${name}: ${String(price.perHour)} ${String(price.capacityType)}` : `${name}: ${price}`;

  test("launches the cheapest type of anp explain, at that price", () => {
    const plain = [...AT_LIST_PRICE, ...WITH_SPOT];
    expect(plain.length).toBeGreaterThanOrEqual(20);
    const told = plain.map((scenario) => {
      const [explained] = explainedOf(scenario, catalogue, () => catalogue.prices).explanations;
      return predicted(scenario, explained?.prices?.perHour?.cheapest);
    });
    expect(plain.map(launched)).toEqual(told);
  });

  test("launches on demand the cheapest type by the shipped prices", () => {
    // The shipped catalogue has no zones of kwok.
    const anywhere = AT_LIST_PRICE.filter(({ pools: [pool] }) =>
      pool!.requirements.every(({ key }) => key !== KEYS.zone),
    );
    expect(anywhere.length).toBeGreaterThanOrEqual(12);
    for (const scenario of anywhere) {
      const [explained] = explainedOf(scenario, shippedCatalogue(), shippedPrices).explanations;
      const { type, perHour } = explained!.prices!.perHour!.cheapest;
      expect([scenario.name, LIST_PRICES.get(type)]).toEqual([scenario.name, perHour]);
      expect(launched(scenario)).toBe(`${scenario.name}: ${String(perHour)} on-demand`);
    }
  });

  test("launches for large pods what diff predicts as the cheapest replacement", () => {
    const told = WITH_ROOM.map((scenario) => {
      const { knownTypes, pools } = explainedOf(scenario, catalogue, () => catalogue.prices);
      const { requests } = run.decisions.get(scenario.name) as Launch;
      const spec = { resources: { requests } };
      const metadata = { name: scenario.name, labels: { "karpenter.sh/nodepool": scenario.name } };
      const claim = {
        apiVersion: "karpenter.sh/v1",
        kind: "NodeClaim",
        name: scenario.name,
        value: { metadata, spec },
      };
      const remaining = remainingTypes(pools[0]!.demands, knownTypes);
      const offer = { types: remaining.types, remaining };
      const found = possibleReplacements(readNodeData([claim])[0]!, offer, { catalogue, prices: knownTypes.prices! });
      return predicted(scenario, typeof found === "object" ? found.best : found);
    });
    expect(WITH_ROOM.map(launched)).toEqual(told);
  });
});

function explainedOf(
  scenario: Scenario,
  catalogue: Catalogue,
  pricesFor: Parameters<typeof explainClusters>[2],
): ExplainedCluster {
  const bundle = makeBundle({ "anp.yaml": anpInput(scenario, "Fail") });
  return explainClusters([resolve(bundle, {})], catalogue, pricesFor)[0]!;
}

/** The price that kwok sets for its node. */
function priceOf({ labels }: Launch, types: readonly EC2Type[]): number | undefined {
  const type = types.find(({ name }) => name === labels[KEYS.type]);
  return type?.offerings.find(({ Requirements }) =>
    [KEYS.zone, KEYS.capacity].every((key) =>
      Requirements.some((entry) => entry.key === key && entry.values?.includes(labels[key] ?? "")),
    ),
  )?.Price;
}
