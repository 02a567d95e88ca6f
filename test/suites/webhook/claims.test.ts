/** The lifetime of v1beta1 NodeClaims comes from their NodePool in the cluster; without access, conversion fails. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { httpClusterApi } from "../../../src/cluster/api/http-cluster-api.ts";
import { answerReview, poolReader } from "../../../src/cluster/webhook/answer-review.ts";
import { create, get } from "../../support/controlplane/objects.ts";
import type { UserName } from "../../support/controlplane/users.ts";
import { nodeClaim, nodePool } from "../../support/webhook/objects.ts";
import { ADMIN, expectDone, startWebhook, startWebhookRig, type WebhookRig } from "../../support/webhook/rig.ts";

// Go is needed for the CRDs in its module cache, whichever programs are used.
describe("NodeClaims and pools stored in v1beta1", () => {
  let rig: WebhookRig;

  beforeAll(async () => {
    rig = await startWebhookRig("v1beta1");
    for (const name of ["web", "batch"]) expectDone(await create(rig.on, ADMIN, nodePool(name).v1beta1));
  });

  afterAll(async () => {
    await rig?.stop();
  });

  test("many read at once: each has the lifetime of its pool, and pools are not read for each", async () => {
    const claims = Array.from({ length: 60 }, (_, index) =>
      nodeClaim(`web-${index}`, index % 2 === 0 ? "web" : "batch"),
    );
    for (const { v1beta1 } of claims) expectDone(await create(rig.on, ADMIN, v1beta1));
    const answers = await Promise.all(claims.map(({ v1 }) => get(rig.on, ADMIN, v1)));
    expect(answers.map(({ status, body }) => [status, body.spec?.["expireAfter"]])).toStrictEqual(
      claims.map(() => [200, "48h"]),
    );
    // At its end, the webhook logs the remaining counts.
    const { webhook } = rig;
    await rig.withoutWebhook(async () => undefined);
    const conversions = webhook.log().join("\n");
    const times = (kind: string): number =>
      [...conversions.matchAll(new RegExp(`msg=converted kind=${kind} from=v1beta1 to=v1 times=(\\d+)`, "g"))]
        .map(([, number]) => Number(number))
        .reduce((sum, number) => sum + number, 0);
    expect(times("NodeClaim")).toBeGreaterThanOrEqual(60);
    expect(times("NodePool")).toBeLessThan(10);
  });

  const asked = JSON.stringify({
    kind: "ConversionReview",
    apiVersion: "apiextensions.k8s.io/v1",
    request: { uid: "u", desiredAPIVersion: "karpenter.sh/v1", objects: [nodeClaim("web-1", "web").v1beta1] },
  });

  async function resultAs(user: UserName, change = (text: string): string => text): Promise<unknown> {
    const kubeconfig = join(rig.folder, `other.kubeconfig`);
    writeFileSync(kubeconfig, change(rig.on.kubeconfig(user)), { mode: 0o600 });
    const api = httpClusterApi({ kubeconfig, timeoutMs: 2000 });
    const { text } = await answerReview(
      asked,
      poolReader(api, () => performance.now()),
    );
    api.close();
    return (JSON.parse(text) as { response: { result: unknown } }).response.result;
  }

  const unread = "the NodePools, which have the expireAfter of NodeClaims, cannot be read:";

  test("without permission to read pools, nothing is converted rather than with an unlimited lifetime", async () => {
    expect(await resultAs("plain-user")).toStrictEqual({
      status: "Failed",
      message: `${unread} nodepools.karpenter.sh is forbidden: User "plain-user" cannot list resource "nodepools" in API group "karpenter.sh" at the cluster scope`,
    });
  });

  test("the same for an API server that cannot be reached, or that rejects us", async () => {
    const elsewhere = (text: string): string => text.replace(/127\.0\.0\.1:\d+/, "127.0.0.1:1");
    expect(await resultAs(ADMIN, elsewhere)).toStrictEqual({
      status: "Failed",
      message: `${unread} https://127.0.0.1:1 cannot be reached: connect ECONNREFUSED 127.0.0.1:1`,
    });
    expect(await resultAs(ADMIN, (text) => text.replace(/token: .*/, "token: wrong"))).toStrictEqual({
      status: "Failed",
      message: `${unread} Unauthorized`,
    });
  });

  test("objects that need no pool are converted in any case", async () => {
    const api = { list: () => Promise.reject(new Error("asked")) };
    const readPools = poolReader(api, () => 0);
    const to = (desiredAPIVersion: string, object: object): string =>
      asked
        .replace('"karpenter.sh/v1"', JSON.stringify(desiredAPIVersion))
        .replace(/"objects":.*/, `"objects":[${JSON.stringify(object)}]}}`);
    const alone = nodeClaim("alone", "");
    const unlabelled = { ...alone.v1beta1, metadata: { name: "alone" } };
    for (const text of [
      to("karpenter.sh/v1beta1", nodeClaim("web-1", "web").v1),
      to("karpenter.sh/v1", nodePool("web").v1beta1),
      to("karpenter.sh/v1", unlabelled),
    ])
      expect((await answerReview(text, readPools)).logEntry.msg).toBe("converted");
  });
});

test("without a cluster, it logs a warning at its start, and claims never expire", async () => {
  const folder = mkdtempSync(join(tmpdir(), "anp-webhook-"));
  const webhook = await startWebhook(folder);
  expect(webhook.log()).toContain(
    'level=warn msg="no cluster" reason="a NodeClaim of v1beta1 gets expireAfter: Never in v1, because its NodePool is not read"',
  );
  await webhook.stop();
  rmSync(folder, { recursive: true });
});
