/** Reviews from API servers and others: the answer to each, and that an answer converts all objects or none. */
import { describe, expect, test } from "vitest";
import { answerReview } from "../../../src/cluster/webhook/answer-review.ts";
import { ec2NodeClass, nodeClaim, nodePool } from "../../support/webhook/objects.ts";

const UID = "705ab4f5-6393-11e8-b7cc-42010a800002";
const VERSION = "apiextensions.k8s.io/v1";

function review(desiredAPIVersion: unknown, objects: unknown, over: object = {}): string {
  return JSON.stringify({
    apiVersion: VERSION,
    kind: "ConversionReview",
    request: { uid: UID, desiredAPIVersion, objects },
    ...over,
  });
}

async function answerTo(text: string): Promise<{ response: Response; apiVersion: string; kind: string }> {
  return JSON.parse((await answerReview(text, undefined)).text) as Awaited<ReturnType<typeof answerTo>>;
}

interface Response {
  readonly uid: string;
  readonly convertedObjects: readonly unknown[];
  readonly result: { readonly status: string; readonly message?: string };
}

describe("a review is answered", () => {
  const pools = ["web", "batch"].map(nodePool);

  test("with its uid, in its version, in the order of its objects", async () => {
    const given = pools.map(({ v1beta1 }) => v1beta1);
    expect(await answerTo(review("karpenter.sh/v1", given))).toStrictEqual({
      apiVersion: VERSION,
      kind: "ConversionReview",
      response: { uid: UID, convertedObjects: pools.map(({ v1 }) => v1), result: { status: "Success" } },
    });
  });

  test("in v1beta1 too, which the CRDs of Karpenter 1.0 name first", async () => {
    const older = { apiVersion: "apiextensions.k8s.io/v1beta1" };
    const { apiVersion, response } = await answerTo(review("karpenter.sh/v1beta1", [pools[0]!.v1], older));
    expect([apiVersion, response.convertedObjects]).toStrictEqual([older.apiVersion, [pools[0]!.v1beta1]]);
  });

  test("without objects", async () => {
    const { response } = await answerTo(review("karpenter.sh/v1", []));
    expect(response).toStrictEqual({ uid: UID, convertedObjects: [], result: { status: "Success" } });
  });

  test("an object in the requested version is unchanged", async () => {
    const { response } = await answerTo(review("karpenter.sh/v1", [pools[0]!.v1, pools[1]!.v1beta1]));
    expect(response.convertedObjects).toStrictEqual([pools[0]!.v1, pools[1]!.v1]);
  });

  test("metadata but for labels and annotations is unchanged byte for byte", async () => {
    const metadata = `"name":"web","uid":"u","resourceVersion":"42","generation":12345678901234567890,"creationTimestamp":null,"managedFields":[{"manager":"A","fieldsV1":{"f:spec":{}}}],"finalizers":["a"],"ownerReferences":[],"deletionGracePeriodSeconds":0`;
    const object = `{"apiVersion":"karpenter.sh/v1beta1","kind":"NodePool","metadata":{${metadata},"labels":{"a":"b"}},"spec":{"limits":{"memory":9007199254740993}}}`;
    const text = `{"apiVersion":"${VERSION}","kind":"ConversionReview","request":{"uid":"${UID}","desiredAPIVersion":"karpenter.sh/v1","objects":[${object}]}}`;
    const { text: answer } = await answerReview(text, undefined);
    expect(answer).toContain(
      `"metadata":{${metadata},"labels":{"a":"b"},"annotations":{"compatibility.karpenter.sh/v1beta1-nodeclass-reference":"null"}}`,
    );
    expect(answer).toContain('"limits":{"memory":9007199254740993}');
  });
});

describe("no object is converted if one fails", () => {
  const good = nodePool("web").v1beta1;
  const broken = (kind: string, spec: unknown, apiVersion = "karpenter.sh/v1beta1") => ({
    apiVersion,
    kind,
    metadata: { name: "x" },
    spec,
  });
  const withRef = (nodeClassRef: unknown) => broken("NodePool", { template: { spec: { nodeClassRef } } });

  test.each<[object, string]>([
    [
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x" } },
      "ConfigMap x of v1 cannot be converted: anp converts Karpenter's kinds only",
    ],
    [
      { apiVersion: "karpenter.sh/v1alpha5", kind: "NodePool" },
      "NodePool of karpenter.sh/v1alpha5 cannot be converted: anp converts Karpenter's kinds only",
    ],
    [
      { apiVersion: "hypershift.openshift.io/v1beta1", kind: "NodePool", metadata: { name: "x" } },
      "NodePool x of hypershift.openshift.io/v1beta1 cannot be converted: anp converts Karpenter's kinds only",
    ],
    [{}, "an object without a kind of undefined cannot be converted: anp converts Karpenter's kinds only"],
    [ec2NodeClass("x").v1beta1, "EC2NodeClass cannot be converted to karpenter.sh/v1: there are v1beta1 and v1"],
    [broken("NodePool", "none"), "NodePool x cannot be converted to v1: spec must be a mapping"],
    [withRef([]), "NodePool x cannot be converted to v1: spec.template.spec.nodeClassRef must be a mapping"],
    [withRef({ name: 1 }), "NodePool x cannot be converted to v1: spec.template.spec.nodeClassRef.name must be text"],
    [
      broken("NodePool", { disruption: { budgets: {} } }),
      "NodePool x cannot be converted to v1: spec.disruption.budgets must be a list",
    ],
    [
      broken("NodePool", { disruption: { expireAfter: "30d" } }),
      "NodePool x cannot be converted to v1: spec.disruption.expireAfter must be a duration or Never",
    ],
    [
      broken("NodeClaim", { kubelet: { maxPods: "110" } }),
      "NodeClaim x cannot be converted to v1: spec.kubelet.maxPods must be a whole number",
    ],
  ])("%j", async (object, message) => {
    const { response } = await answerTo(review("karpenter.sh/v1", [good, object, good]));
    expect(response).toStrictEqual({ uid: UID, convertedObjects: [], result: { status: "Failed", message } });
  });

  test.each([
    ["karpenter.sh/v2", "NodePool cannot be converted to karpenter.sh/v2: there are v1beta1 and v1"],
    ["v1", "NodePool cannot be converted to v1: there are v1beta1 and v1"],
    ["", "NodePool cannot be converted to : there are v1beta1 and v1"],
  ])("to %j", async (desired, message) => {
    const { response } = await answerTo(review(desired, [good]));
    expect(response.result).toStrictEqual({ status: "Failed", message });
  });

  test("an alias that v1beta1 has no family for", async () => {
    const object = { ...ec2NodeClass("x").v1, spec: { amiSelectorTerms: [{ alias: "windows2025@latest" }] } };
    const { response } = await answerTo(review("karpenter.k8s.aws/v1beta1", [object]));
    expect(response.result.message).toBe(
      "EC2NodeClass x cannot be converted to v1beta1: amiSelectorTerms has an alias that v1beta1 has no amiFamily for",
    );
  });
});

describe("invalid reviews", () => {
  const { v1beta1 } = nodePool("web");

  test.each<[what: string, text: string, uid: string, message: string]>([
    ["nothing", "", "", "the request is not JSON"],
    ["half of it", "{", "", "the request is not JSON"],
    ["null", "null", "", "the request is not a ConversionReview"],
    ["a list", "[]", "", "the request is not a ConversionReview"],
    ["an empty object", "{}", "", "the request is not a ConversionReview"],
    [
      "another kind",
      review("karpenter.sh/v1", [], { kind: "AdmissionReview" }),
      UID,
      "the request is not a ConversionReview",
    ],
    [
      "another version",
      review("karpenter.sh/v1", [], { apiVersion: "apiextensions.k8s.io/v2" }),
      UID,
      `the ConversionReview is not of ${VERSION}: set conversionReviewVersions: [v1] in the CRD`,
    ],
    [
      "a request that is a list",
      review("karpenter.sh/v1", [], { request: [] }),
      "",
      "the ConversionReview has no request.uid",
    ],
    [
      "a uid that is a number",
      review("karpenter.sh/v1", [], { request: { uid: 1 } }),
      "",
      "the ConversionReview has no request.uid",
    ],
    ["a version that is a number", review(7, [v1beta1]), UID, "the ConversionReview has no request.desiredAPIVersion"],
    [
      "objects that are no list",
      review("karpenter.sh/v1", { items: [] }),
      UID,
      "the ConversionReview has no list of objects in request.objects",
    ],
    [
      "objects that are text",
      review("karpenter.sh/v1", ["x"]),
      UID,
      "the ConversionReview has no list of objects in request.objects",
    ],
    ["a million brackets", "[".repeat(1_000_000), "", "the request is not JSON"],
  ])("%s", async (_what, text, uid, message) => {
    const { isReview, text: answer } = await answerReview(text, undefined);
    expect(isReview).toBe(uid !== "");
    expect(JSON.parse(answer)).toStrictEqual({
      apiVersion: VERSION,
      kind: "ConversionReview",
      response: { uid, convertedObjects: [], result: { status: "Failed", message } },
    });
  });

  test("a deeply nested object is refused or converted, and nothing crashes", async () => {
    const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
    const text = review("karpenter.sh/v1", ["DEEP"]).replace(
      '"DEEP"',
      `{"apiVersion":"karpenter.sh/v1beta1","kind":"NodePool","metadata":{"name":"x"},"spec":${deep}}`,
    );
    const { logEntry } = await answerReview(text, undefined);
    expect(["converted", "not converted"]).toContain(logEntry.msg);
  });
});

describe("the log", () => {
  test.each(["karpenter.sh/v1", "karpenter.sh/v1beta1"])(
    "contains the request, and no content of objects: %s",
    async (desired) => {
      const secret = "s3cr3t";
      const { v1beta1, v1 } = nodePool("web");
      const annotations = { "compatibility.karpenter.sh/v1beta1-kubelet-conversion": secret, own: secret };
      const object = { ...(desired.endsWith("/v1") ? v1beta1 : v1), metadata: { name: "web", annotations } };
      const claim = desired.endsWith("/v1") ? nodeClaim("c", "web").v1beta1 : nodeClaim("c", "web").v1;
      const { logEntry, objects } = await answerReview(review(desired, [claim, object]), undefined);
      expect([logEntry.fields["kind"], objects]).toStrictEqual(["NodeClaim,NodePool", 2]);
      expect(JSON.stringify(logEntry)).not.toContain(secret);
    },
  );
});
