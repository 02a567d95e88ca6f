/** Compares Karpenter's conversions of random objects with ours, by kind and direction. */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { convertAsWebhook } from "../../../src/karpenter/conversion/convert-object.ts";
import {
  type KarpenterKind,
  karpenterType,
  type KarpenterVersion,
} from "../../../src/karpenter/conversion/karpenter-type.ts";
import { type Fields, fieldsOf } from "../../../src/krm/values/fields.ts";
import { ec2NodeClass, nodeClaim, nodePool } from "./arbitraries.ts";
import { askConversionOracle, type Question, type Reply } from "./ask.ts";

interface Case {
  readonly kind: KarpenterKind;
  readonly from: KarpenterVersion;
  readonly object: Fields;
  /** In version v1. */
  readonly pools: readonly Fields[];
}

interface Tally {
  readonly direction: string;
  readonly cases: number;
  /** Karpenter's conversion failed, and ours refused. */
  readonly refused: number;
  readonly differences: number;
  /** The round trip returns the same object with Karpenter's conversion. */
  readonly identical: number;
  /** … but not with ours. */
  readonly lostByUs: number;
}

interface Comparison {
  readonly tallies: readonly Tally[];
  readonly examples: readonly unknown[];
}

const KINDS = { NodePool: nodePool, NodeClaim: nodeClaim, EC2NodeClass: ec2NodeClass };

export async function compareConversions(numRuns: number, seed: number): Promise<Comparison> {
  const tallies: Tally[] = [];
  const examples: unknown[] = [];
  for (const kind of Object.keys(KINDS) as KarpenterKind[]) {
    for (const from of ["v1beta1", "v1"] as const) {
      const cases = fc
        .sample(fc.tuple(KINDS[kind](from), fc.array(nodePool("v1"), { maxLength: 2 })), { numRuns, seed })
        .map(([object, pools]): Case => ({ kind, from, object, pools: pools.filter(isReadable) }));
      const outcome = await compare(cases);
      tallies.push({ direction: `${kind} ${from} → ${other(from)}`, ...outcome.tally });
      examples.push(...outcome.examples);
    }
  }
  return { tallies, examples };
}

async function compare(cases: readonly Case[]): Promise<{ tally: Omit<Tally, "direction">; examples: unknown[] }> {
  const real = await askConversionOracle(cases.map((one) => convert(one, one.object)));
  const ours = cases.map((one) => ourConversion(one, one.object));
  const written = await readAll(ours);
  const examples: unknown[] = [];
  let [refused, differences, identical, lostByUs] = [0, 0, 0, 0];
  // Round trips, compared with the API server's view of the original object.
  const back = await askConversionOracle(real.map(({ object }, index) => convert(cases[index]!, object ?? NOTHING)));
  const ourBack = await readAll(
    ours.map((object, index) => (object === undefined ? undefined : ourConversion(cases[index]!, object))),
  );
  const before = await readAll(cases.map(({ object }) => object));
  for (const [index, one] of cases.entries()) {
    const theirs = real[index]!;
    if (theirs.object === undefined) {
      if (ours[index] === undefined) refused += 1;
      else differences += note(examples, { one, theirs, ours: ours[index] });
      continue;
    }
    if (!isDeepStrictEqual(theirs.object, written[index]?.object))
      differences += note(examples, { one: one.object, theirs: theirs.object, ours: written[index] ?? "refused" });
    const start = before[index]!.object;
    if (start === undefined || !isDeepStrictEqual(back[index]!.object, start)) continue;
    identical += 1;
    if (!isDeepStrictEqual(ourBack[index]?.object, start))
      lostByUs += note(examples, { one: one.object, back: back[index]!.object, ours: ourBack[index] });
  }
  return { tally: { cases: cases.length, refused, differences, identical, lostByUs }, examples: examples.slice(0, 2) };
}

/** Placeholder for a failure of Karpenter's conversion. */
const NOTHING: Fields = { apiVersion: "karpenter.sh/v1", kind: "NodePool", metadata: { name: "nothing" } };

function convert({ pools }: Case, object: Fields): Question {
  return { op: "convert", to: other(karpenterType(object)!.version), object, nodePools: pools };
}

function ourConversion({ pools }: Case, object: Fields): Fields | undefined {
  const label = fieldsOf(fieldsOf(object["metadata"])["labels"])["karpenter.sh/nodepool"];
  const pool = pools.find(({ metadata }) => fieldsOf(metadata)["name"] === label);
  const converted = convertAsWebhook(object, other(karpenterType(object)!.version), { pool });
  return "value" in converted ? converted.value : undefined;
}

async function readAll(objects: readonly (Fields | undefined)[]): Promise<(Reply | undefined)[]> {
  const replies = await askConversionOracle(objects.map((object) => ({ op: "read", object: object ?? NOTHING })));
  return replies.map((reply, index) => (objects[index] === undefined ? undefined : reply));
}

function note(examples: unknown[], example: unknown): 1 {
  examples.push(example);
  return 1;
}

function other(version: KarpenterVersion): KarpenterVersion {
  return version === "v1" ? "v1beta1" : "v1";
}

function isReadable({ spec }: Fields): boolean {
  return fieldsOf(fieldsOf(fieldsOf(spec)["template"])["spec"])["nodeClassRef"] !== undefined;
}
