/**
 * Tests that we refuse exactly the objects with one field of another type on which Karpenter 1.0.8's conversion fails.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { convertAsWebhook } from "../../../src/karpenter/conversion/convert-object.ts";
import type { KarpenterKind, KarpenterVersion } from "../../../src/karpenter/conversion/karpenter-type.ts";
import type { Fields } from "../../../src/krm/values/fields.ts";
import { seedOf } from "../../support/property/seed.ts";
import { ec2NodeClass, nodeClaim, nodePool } from "../../support/oracle-v1beta1/arbitraries.ts";
import { askConversionOracle } from "../../support/oracle-v1beta1/ask.ts";

const seed = seedOf("malformed objects to Karpenter", 20_261_122);

const KINDS = { NodePool: nodePool, NodeClaim: nodeClaim, EC2NodeClass: ec2NodeClass };

/** Fields that a conversion reads; it copies the rest, and the API server validates them. */
const READ = [
  "metadata|metadata.(labels|annotations).*",
  "spec|spec.template|spec.template.spec",
  "spec.(template.spec.)?(nodeClassRef|requirements|requirements.N|expireAfter)",
  "spec.(template.spec.)?nodeClassRef.[a-z]+",
  "spec.disruption|spec.disruption.(consolidationPolicy|consolidateAfter|expireAfter|budgets|budgets.N)",
  "spec.(amiFamily|metadataOptions|(amiSelector|subnetSelector|securityGroupSelector)Terms(.N)?|blockDeviceMappings(.N)?)",
  "status|status.conditions|status.conditions.N",
].map((pattern) => new RegExp(`^(${pattern.replaceAll(/(?<![\]*])\./g, "\\.")})$`));
const KUBELET = /^spec\.(template\.spec\.)?kubelet/;

const WRONG = ["text", 7, 1.5, true, [], {}, [1], { a: 1 }, ["a"]];

describe("one field of another type", () => {
  test.each(
    (Object.keys(KINDS) as KarpenterKind[]).flatMap((kind) =>
      (["v1beta1", "v1"] as const).map((from) => [kind, from] as const),
    ),
  )(
    "%s %s",
    async (kind, from) => {
      const to = from === "v1" ? "v1beta1" : "v1";
      const cases = fc.sample(fc.tuple(KINDS[kind](from), fc.nat(), fc.constantFrom(...WRONG)), { numRuns: 800, seed });
      const broken = cases.flatMap(([object, random, wrong]) => {
        const paths = pathsIn(object).filter((path) => isRead(path, from));
        const path = paths[random % paths.length];
        return path === undefined ? [] : [{ path: path.join("."), wrong, object: withValue(object, path, wrong) }];
      });
      const replies = await askConversionOracle(
        broken.map(({ object }) => ({ op: "convert", to, object, nodePools: [] })),
      );
      const differences = broken.flatMap(({ path, wrong, object }, index) => {
        const ours = "refusal" in convertAsWebhook(object, to);
        const { error, panic } = replies[index] ?? {};
        return ours === (error !== undefined || panic !== undefined) ? [] : [{ path, wrong, ours, error, panic }];
      });
      const refused = replies.filter(({ object }) => object === undefined).length;
      console.log(
        `malformed objects to Karpenter: ${kind} ${from}: ${broken.length} objects, ${refused} refused by both`,
      );
      expect(differences.slice(0, 3)).toStrictEqual([]);
      expect(refused).toBeGreaterThan(broken.length / 2);
      expect(refused).toBeLessThan(broken.length);
    },
    120_000,
  );
});

type Path = readonly string[];

function isRead(path: Path, from: KarpenterVersion): boolean {
  const name = path.join(".").replaceAll(/\.\d+/g, ".N");
  return READ.some((pattern) => pattern.test(name)) || (from === "v1beta1" && KUBELET.test(name));
}

function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, field]) => pathsIn(field, [...path, key]))];
}

function withValue(object: Fields, path: Path, value: unknown): Fields {
  const copy = structuredClone(object);
  const owner = path
    .slice(0, -1)
    .reduce((at, key) => at[key] as Record<string, unknown>, copy as Record<string, unknown>);
  owner[path.at(-1) ?? ""] = value;
  return copy;
}
