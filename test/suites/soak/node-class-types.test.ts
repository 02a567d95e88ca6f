/** Instance types that Karpenter's AWS provider keeps from a node class: those that we leave out. It takes long to build. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { catalogueOfCompact } from "../../../src/karpenter/catalogue/catalogue-of-compact.ts";
import { offeredTypes } from "../../../src/karpenter/catalogue/reserved-capacity.ts";
import { includesType } from "../../../src/karpenter/catalogue/type-mask.ts";
import type { CompactCatalogue } from "../../../src/model/catalogue/compact-catalogue.ts";
import { AWS } from "../../../src/karpenter/provider/aws.ts";
import { mergedByKey } from "../../../src/karpenter/requirements/requirements.ts";
import { askProgram } from "../../support/go/ask-program.ts";
import { goModuleDir } from "../../support/go/module-dir.ts";
import { seedOf } from "../../support/property/seed.ts";

const SHIPPED = join(import.meta.dirname, "../../../dist/catalogue.json");
const CATALOGUE = AWS.typesOf(catalogueOfCompact(JSON.parse(readFileSync(SHIPPED, "utf8")) as CompactCatalogue))!;
const EFA = CATALOGUE.allocatable.get("vpc.amazonaws.com/efa");

/** As EC2 describes them: cards and hypervisors from the provider's table, EFA from the catalogue. */
async function instanceTypes() {
  const module = await goModuleDir("github.com/aws/karpenter-provider-aws", "v1.15.1");
  const table = readFileSync(join(module, "pkg/providers/instancetype/zz_generated.vpclimits.go"), "utf8");
  return [...table.matchAll(/\t"([a-z0-9.-]+)": \{(.*?)\n\t\},\n/gs)].flatMap(([, name = "", body = ""]) => {
    const index = CATALOGUE.names.indexOf(name);
    if (index === -1) return [];
    const cards = [...body.matchAll(/MaximumNetworkInterfaces: (\d+),\s+NetworkCardIndex:\s+(\d+)/g)];
    const NetworkCards = cards.map(([, most, card]) => ({
      MaximumNetworkInterfaces: Number(most),
      NetworkCardIndex: Number(card),
    }));
    const efa = EFA?.[index];
    const EfaInfo = efa === undefined ? {} : { EfaInfo: { MaximumEfaInterfaces: Number(efa) } };
    const Hypervisor = /Hypervisor:\s+"(.*?)"/.exec(body)?.[1] ?? "";
    return [{ InstanceType: name, Hypervisor, NetworkInfo: { EnaSupport: "required", NetworkCards, ...EfaInfo } }];
  });
}

const networkInterface = fc.record({
  networkCardIndex: fc.integer({ min: 0, max: 17 }),
  deviceIndex: fc.constantFrom(0, 1),
  interfaceType: fc.constantFrom("interface", "efa-only"),
});
const spec = fc.record(
  {
    amiFamily: fc.constantFrom("AL2", "AL2023", "Bottlerocket", "Custom"),
    connectionTracking: fc.constant({ udpTimeout: 30 }),
    networkInterfaces: fc.array(networkInterface, { maxLength: 4 }),
  },
  { requiredKeys: ["amiFamily"] },
);

test("the types of a class are those that Karpenter 1.15 leaves", async () => {
  const types = await instanceTypes();
  const classes = fc
    .sample(spec, { numRuns: 60, seed: seedOf("classes and types", 20_261_126) })
    .map((one) => ({ spec: one }));
  const replies = await askProgram<{ answer: string[] }>(
    "oracle-provider-1.15",
    classes.map((one) => ({ op: "compatible", class: one, types })),
  );
  const filter = offeredTypes(CATALOGUE);
  const apart = classes.flatMap((one, index) => {
    const asked = mergedByKey(AWS.classRequirements(one).map(({ requirement }) => requirement));
    const left = filter.compatible(asked);
    const theirs = new Set(replies[index]!.answer);
    return types
      .map(({ InstanceType }) => InstanceType)
      .filter((name) => includesType(left, CATALOGUE.names.indexOf(name)) !== theirs.has(name))
      .map((name) => ({ name, one }));
  });
  console.log(`classes and types: ${types.length * classes.length} pairs, ${apart.length} apart`);
  expect(apart.slice(0, 3)).toStrictEqual([]);
  expect(types.length * classes.length).toBeGreaterThan(20_000);
}, 2_400_000);
