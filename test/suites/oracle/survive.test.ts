/**
 * Feeds every hostile value that the CRDs accept to Karpenter's own types, and tests that anp reports each that
 * crashes it.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { fatalValuesOf } from "../../../src/karpenter/node-class/fatal-values.ts";
import { ec2NodeClassSpec } from "../../../src/model/ec2/node-class.ts";
import type { KubeObject } from "../../../src/model/objects/kube-object.ts";
import { nodePoolSpec } from "../../../src/model/pools/node-pool.ts";
import { check } from "../../../src/model/schema/validate.ts";
import { askOracle } from "../../support/oracle/ask.ts";
import { hostileObjects } from "../../support/oracle/hostile-values.ts";

const SCHEMAS = { NodePool: nodePoolSpec("karpenter-1.14"), EC2NodeClass: ec2NodeClassSpec("karpenter-1.14") };

/** test/suites/e2e tests that the models accept what the API server accepts. */
const admitted = hostileObjects().filter(({ object }) => {
  const schema = object.kind === "NodePool" ? SCHEMAS.NodePool : SCHEMAS.EC2NodeClass;
  return check(schema, object.spec).violations.length === 0;
});

describe("a hostile value in an object that the API server accepts", () => {
  const deaths: { readonly what: string; readonly object: KubeObject; readonly dies: string | null }[] = [];

  beforeAll(async () => {
    const replies = await askOracle(admitted.map(({ object }) => ({ op: "survive", object })));
    for (const [index, { answer, panic }] of replies.entries()) {
      const { object, path, value } = admitted[index]!;
      const { dies } = (answer ?? { dies: panic }) as { dies: string | null };
      deaths.push({ what: `${object.kind} ${path.join(".")}: ${JSON.stringify(value)}`, object, dies });
    }
  }, 1_200_000);

  const isNamed = ({ object }: { readonly object: KubeObject }) => fatalValuesOf(object, "karpenter-1.14").length > 0;

  test("is reported if it crashes Karpenter", () => {
    const dead = deaths.filter(({ dies }) => dies !== null);
    expect(dead.length).toBeGreaterThan(100);
    expect(dead.filter((death) => !isNamed(death)).map(({ what, dies }) => `${what}: ${dies}`)).toStrictEqual([]);
  });

  // test/suites/soak tests the provider's use of kubelet quantities, because its build takes long.
  test("is not reported otherwise", () => {
    const alive = deaths.filter(({ what, dies }) => dies === null && !/kubelet\.(\w+Reserved|evictionHard)/.test(what));
    expect(alive.length).toBeGreaterThan(1000);
    expect(alive.filter(isNamed).map(({ what }) => what)).toStrictEqual([]);
  });
});
