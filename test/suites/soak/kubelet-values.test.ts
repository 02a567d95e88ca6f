/** Quantities of the kubelet's settings that the API server takes: those that Karpenter's AWS provider panics on are those that we name. It takes long to build. */
import { beforeAll, describe, expect, test } from "vitest";
import { fatalValuesOf } from "../../../src/karpenter/node-class/fatal-values.ts";
import { ec2NodeClassSpec } from "../../../src/model/ec2/node-class.ts";
import { isEndlessQuantity } from "../../../src/model/values/quantity.ts";
import { check } from "../../../src/model/schema/validate.ts";
import { askProgram } from "../../support/go/ask-program.ts";
import { hostileObjects } from "../../support/oracle/hostile-values.ts";

const SCHEMA = ec2NodeClassSpec("karpenter-1.14");

/** A quantity that it never gets done with would not let it answer; a grace period it cannot even decode. */
const admitted = hostileObjects().filter(
  ({ object, path, value }) =>
    object.kind === "EC2NodeClass" &&
    !path.includes("evictionSoftGracePeriod") &&
    !(typeof value === "string" && isEndlessQuantity(value)) &&
    check(SCHEMA, object.spec).violations.length === 0,
);

describe("the provider's instance types", () => {
  let panics: (string | null)[];

  beforeAll(async () => {
    const replies = await askProgram<{ panic: string | null }>(
      "oracle-provider",
      admitted.map(({ object }) => object),
    );
    panics = replies.map(({ panic }) => panic);
  }, 2_400_000);

  test("cannot be worked out for the values that are named, and for no other", () => {
    const words = ({ path, value }: (typeof admitted)[number]) => `${path.join(".")}: ${JSON.stringify(value)}`;
    const dead = admitted.filter((_one, index) => panics[index] !== null);
    expect(dead.length).toBeGreaterThan(10);
    const named = admitted.filter(({ object }) => fatalValuesOf(object, "karpenter-1.14").length > 0);
    expect(named.map(words)).toStrictEqual(dead.map(words));
  });
});
