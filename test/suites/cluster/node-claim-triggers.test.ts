/** NodeClaims are watched only if a Hard limit needs them. */
import { expect, test } from "vitest";
import { succeeded } from "../../../src/cluster/api/api-answer.ts";
import type { ClusterApi, WatchEvent } from "../../../src/cluster/api/cluster-api.ts";
import { triggerOnNodeClaims } from "../../../src/cluster/run/trigger-on-cluster.ts";
import { pause } from "../../../src/cluster/waiting/pause.ts";
import { wakeUp } from "../../../src/cluster/waiting/wake-up.ts";

const CLAIM: WatchEvent = {
  type: "ADDED",
  object: {
    apiVersion: "karpenter.sh/v1",
    kind: "NodeClaim",
    metadata: { name: "web-1", uid: "1", resourceVersion: "1" },
  },
};

test("no watch is open until a pool has a Hard limit; then what there is raises the signal", async () => {
  const end = new AbortController();
  let opened = 0;
  const watch: ClusterApi["watch"] = async function* (_collection, { signal }) {
    opened += 1;
    yield succeeded(CLAIM);
    await pause(60_000, signal);
  };
  const [news, passed] = [wakeUp(), wakeUp()];
  let isLimited = false;
  const options = { signal: end.signal, random: () => 0.5, matters: () => isLimited, passed };
  const hints = triggerOnNodeClaims({ watch }, news, options);
  for (let pass = 0; pass < 3; pass++) {
    passed.raise();
    await pause(0, end.signal);
  }
  expect(opened).toBe(0);
  isLimited = true;
  passed.raise();
  await news.wait(AbortSignal.timeout(10_000));
  expect(opened).toBe(1);
  end.abort();
  await hints;
});

test("none is ever opened where the watch ends before", async () => {
  const end = new AbortController();
  const watch: ClusterApi["watch"] = () => {
    throw new Error("asked");
  };
  const passed = wakeUp();
  const hints = triggerOnNodeClaims({ watch }, wakeUp(), {
    signal: end.signal,
    random: () => 0.5,
    matters: () => false,
    passed,
  });
  end.abort();
  await hints;
});
