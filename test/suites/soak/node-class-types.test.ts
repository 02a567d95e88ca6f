/** Instance types with a node class, by the compiled AWS provider: which are left, and what their nodes have. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { allocatableTypes } from "../../../src/karpenter/scheduling/resources.ts";
import { capacityOf } from "../../../src/karpenter/scheduling/limits.ts";
import { catalogueOfCompact } from "../../../src/karpenter/catalogue/catalogue-of-compact.ts";
import { offeredTypes } from "../../../src/karpenter/catalogue/reserved-capacity.ts";
import { includesType } from "../../../src/karpenter/catalogue/type-mask.ts";
import { valuesOf } from "../../../src/karpenter/catalogue/type-filter.ts";
import type { CompactCatalogue } from "../../../src/model/catalogue/compact-catalogue.ts";
import { refusedKubelet } from "../../../src/karpenter/node-class/refused-kubelet.ts";
import { karpenterOptions } from "../../../src/model/settings/karpenter-options.ts";
import type { Catalogue } from "../../../src/karpenter/catalogue/catalogue.ts";
import { typesOfClass } from "../../../src/karpenter/node-class/node-resources.ts";
import { parseQuantity } from "../../../src/model/values/quantity.ts";
import { AWS } from "../../../src/karpenter/provider/aws.ts";
import { mergedByKey } from "../../../src/karpenter/requirements/requirements.ts";
import { askProgram } from "../../support/go/ask-program.ts";
import { goModuleDir } from "../../support/go/module-dir.ts";
import { seedOf } from "../../support/property/seed.ts";

const SHIPPED = join(import.meta.dirname, "../../../dist/catalogue.json");
const CATALOGUE = AWS.typesOf(catalogueOfCompact(JSON.parse(readFileSync(SHIPPED, "utf8")) as CompactCatalogue))!;
const EFA = CATALOGUE.allocatable.get("vpc.amazonaws.com/efa");

/** As EC2 describes them: cards and hypervisors from the provider's table, EFA from the catalogue. */
async function instanceTypes(version = "v1.15.1") {
  const module = await goModuleDir("github.com/aws/karpenter-provider-aws", version);
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
    const number = (field: string): number => Number(new RegExp(`${field}: +(\\d+)`).exec(body)?.[1] ?? 0);
    const NetworkInfo = {
      EnaSupport: "required",
      NetworkCards,
      DefaultNetworkCardIndex: number("DefaultNetworkCardIndex"),
      Ipv4AddressesPerInterface: number("IPv4PerInterface"),
      ...EfaInfo,
    };
    const label = (key: string): string | undefined => valuesOf(CATALOGUE, index, key)[0];
    const ofType = (key: string): number => Number(label(`karpenter.k8s.aws/instance-${key}`));
    const arch = label("kubernetes.io/arch") === "arm64" ? "arm64" : "x86_64";
    const store = ofType("local-nvme");
    return [
      {
        InstanceType: name,
        Hypervisor,
        NetworkInfo,
        ProcessorInfo: { SupportedArchitectures: [arch] },
        VCpuInfo: { DefaultVCpus: ofType("cpu") },
        MemoryInfo: { SizeInMiB: ofType("memory") },
        ...(store > 0 ? { InstanceStorageInfo: { TotalSizeInGB: store, NvmeSupport: "required" } } : {}),
      },
    ];
  });
}

const networkInterface = fc.record({
  networkCardIndex: fc.integer({ min: 0, max: 17 }),
  deviceIndex: fc.oneof(fc.constantFrom(0, 1), fc.integer({ min: 0, max: 24 })),
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

const size = fc.constantFrom("20Gi", "7Gi", "100Gi", "1T", "59000Gi", "33G");
const mapping = fc.record(
  {
    deviceName: fc.constantFrom("/dev/xvda", "/dev/xvdb", "/dev/sda1"),
    ebs: fc.oneof(fc.record({ volumeSize: size }), fc.constant({ snapshotID: "snap-1" })),
  },
  { requiredKeys: ["deviceName", "ebs"] },
);
const mappings = fc
  .tuple(fc.array(mapping, { maxLength: 3 }), fc.option(fc.nat(2)))
  .map(([list, root]) => list.map((one, index) => (index === root ? { ...one, rootVolume: true } : one)));
const amounts = (texts: readonly string[]) =>
  fc.dictionary(fc.constantFrom("cpu", "memory", "ephemeral-storage", "pid"), fc.constantFrom(...texts), {
    maxKeys: 3,
  });
const fewInterfaces = fc.record({
  networkCardIndex: fc.constantFrom(0, 0, 1),
  deviceIndex: fc.constantFrom(0, 1),
  interfaceType: fc.constantFrom("interface", "efa-only"),
});
const whole = fc.record(
  {
    amiFamily: fc.constantFrom("AL2", "AL2023", "Bottlerocket", "Custom", "Windows2019", "Windows2022"),
    blockDeviceMappings: mappings,
    instanceStorePolicy: fc.constant("RAID0"),
    networkInterfaces: fc.array(fewInterfaces, { maxLength: 3 }),
    kubelet: fc.record(
      {
        maxPods: fc.constantFrom(0, 20, 110, 250),
        podsPerCore: fc.constantFrom(0, 1, 4, 30),
        kubeReserved: amounts(["100m", "1", "1Gi", "512Mi", "3G"]),
        systemReserved: amounts(["100m", "1500m", "2Gi"]),
        evictionHard: fc.dictionary(
          fc.constantFrom("memory.available", "nodefs.available", "pid.available"),
          fc.constantFrom("5%", "100%", "7.5%", "0.33%", "500Mi", "1G", "0%"),
          { maxKeys: 2 },
        ),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ["amiFamily"] },
);

const PODS = ["vcpus * 10", "min(110, max_pods)", "default_enis * (ips_per_eni - 1) + 2", "512 / (vcpus - 2)"];
const MORE_PODS = ["max_pods - 40", "1.5 * double(vcpus)", "vcpus * 50000000", "double(vcpus) / 0.0", "110"];
const RESERVED = ["vcpus * 30", "70 + vcpus", "memory_mib / 100", "11 * max_pods + 255", "400 - vcpus * 5", "1000000"];
const MORE = ["instance_type.startsWith('m') ? 15 : 17", "double(memory_mib) * 0.013", "memory_mib * 9223372036854775"];

/** Few of which fail for a type. */
const withExpressions = fc
  .tuple(
    whole,
    fc.record(
      {
        maxPods: fc.constantFrom(...PODS, ...MORE_PODS),
        kubeReserved: amounts([...RESERVED, ...MORE, "512Mi"]),
        systemReserved: amounts(RESERVED),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([one, more]) => ({ ...one, kubelet: { ...one.kubelet, ...more } }));

const RESOURCES = ["cpu", "memory", "ephemeral-storage", "pods", "vpc.amazonaws.com/efa"];
const ALL = [...RESOURCES, "vpc.amazonaws.com/PrivateIPv4Address"];

interface Answer {
  readonly capacity: Readonly<Record<string, string>>;
  readonly allocatable: Readonly<Record<string, string>>;
}

/** The whole catalogue for each of so many classes takes hours. */
function part(catalogue: Catalogue, names: ReadonlySet<string>): Catalogue {
  const kept = catalogue.names.flatMap((name, type) => (names.has(name) ? [type] : []));
  const column = <C extends { readonly of: Uint16Array }>(of: C): C => ({
    ...of,
    of: Uint16Array.from(kept, (type) => of.of[type]!),
  });
  return {
    ...catalogue,
    names: kept.map((type) => catalogue.names[type]!),
    labels: new Map([...catalogue.labels].map(([key, labels]) => [key, column(labels)])),
    offerings: column(catalogue.offerings),
    allocatable: new Map([...catalogue.allocatable].map(([name, all]) => [name, kept.map((type) => all[type])])),
  };
}

const BATCH = 100;

test.each(["1.14", "1.15", "1.15 with expressions"] as const)(
  "nodes have what Karpenter %s computes",
  async (setup) => {
    const version = setup === "1.14" ? "1.14" : "1.15";
    const expressions = setup.endsWith("expressions");
    const program = version === "1.15" ? "oracle-provider-1.15" : "oracle-provider";
    const karpenter = karpenterOptions(`karpenter-${version}`, [{ featureGates: { NodeClassCEL: expressions } }]);
    // No data at hand has the sizes of instance stores that are not NVMe.
    const types = (await instanceTypes(version === "1.14" ? "v1.14.1" : undefined)).filter(
      ({ InstanceType }) => !/^([cmr]3|[dim]2|[chmx]1|x1e)\./.test(InstanceType),
    );
    const sample = { numRuns: 21_500, seed: seedOf("node resources", 20_261_126) };
    const specs = new Map(
      fc.sample<object>(expressions ? withExpressions : whole, sample).map((one) => [JSON.stringify(one), one]),
    );
    const classes = [...specs.values()].map((one) => ({ spec: one }));
    const samples = fc.sample(fc.uniqueArray(fc.constantFrom(...types), { minLength: 8, maxLength: 8 }), {
      ...sample,
      numRuns: Math.ceil(classes.length / BATCH),
    });
    const counts = { classes: 0, pairs: 0, refused: 0 };
    const apart: unknown[] = [];
    for (const [batch, some] of samples.entries()) {
      const asked = classes.slice(batch * BATCH, (batch + 1) * BATCH);
      const names = new Set(some.map(({ InstanceType }) => InstanceType));
      const known = part(CATALOGUE, names);
      const question = { types: some, expressions };
      const [computed, validated] = await Promise.all(
        ["resources", "validate"].map((op) =>
          askProgram<{ answer: Answer[] | string[] | null }>(
            program,
            asked.map((one) => ({ ...question, op, class: one })),
          ),
        ),
      );
      for (const [index, one] of asked.entries()) {
        counts.classes += 1;
        const judge = { profile: `karpenter-${version}`, karpenter, catalogue: known } as const;
        const refused = refusedKubelet(one, judge);
        const theirs = validated![index]!.answer;
        if (refused.length > 0 !== (theirs !== null)) apart.push({ one, refused, theirs, names });
        if (refused.length > 0) counts.refused += 1;
        const answers = computed![index]!.answer as Answer[] | null;
        const catalogue = typesOfClass(known, one, `karpenter-${version}`, karpenter);
        const table = allocatableTypes(catalogue);
        for (const [place, { InstanceType }] of answers === null ? [] : some.entries()) {
          counts.pairs += 1;
          const type = catalogue.names.indexOf(InstanceType);
          const { allocatable, capacity } = answers![place]!;
          const nano = (text = "0") => parseQuantity(text)!.nano;
          const found = [
            ...ALL.map((name) => [name, table.of(name, type), nano(allocatable[name])] as const),
            ...["cpu", "memory", "ephemeral-storage", "pods"].map(
              (name) => [`capacity of ${name}`, capacityOf(catalogue, name, type), nano(capacity[name])] as const,
            ),
          ].filter(([, ours, wanted]) => ours !== wanted);
          if (found.length > 0) apart.push({ InstanceType, found, one });
        }
      }
    }
    console.log(`node resources of ${setup}: ${JSON.stringify(counts)}, ${apart.length} apart`);
    expect(apart.slice(0, 3)).toStrictEqual([]);
    expect(counts.classes).toBeGreaterThan(expressions ? 15_000 : 20_000);
    if (expressions) expect(Math.min(counts.refused, counts.classes - counts.refused)).toBeGreaterThan(1000);
  },
  2_400_000,
);
