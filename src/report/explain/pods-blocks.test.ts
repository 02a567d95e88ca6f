/** Pods as people see them: wide and narrow, many pools, several clusters, hostile names. */
import { describe, expect, it } from "vitest";
import type { AskedPods, PlacedPod } from "../../analyze/plan/place-pods.ts";
import type { PoolAttempt } from "../../analyze/pods/pool-attempts.ts";
import { terminalText } from "../blocks/terminal.ts";
import { podBlocks } from "./pods-blocks.ts";
import { PLAIN, type Style } from "../terminal/style.ts";

const attempt = (pool: string, sentence: string, reason: PoolAttempt["reason"] = null): PoolAttempt => ({
  pool,
  fits: reason === null,
  instanceTypes: reason === null ? 3 : 0,
  reason,
  sentence,
});

const WEB: PlacedPod = {
  name: "web",
  namespace: "shop",
  kind: "Deployment",
  count: null,
  hostedCluster: "clusters-c1",
  file: "pods.yaml",
  line: 3,
  requests: { cpu: "2", pods: "1" },
  pods: 1,
  placed: [{ pool: "general", pods: 1, nodes: 1 }],
  takenBy: "general",
  instanceTypes: ["m5.large", "m5.xlarge", "c5.large"],
  why: null,
  attempts: [
    attempt("gpu", "did not tolerate taint nvidia.com/gpu:NoSchedule (pools.yaml:40)", "taint"),
    attempt("general", "takes it"),
    attempt("spare", "could take it; Karpenter picks general first"),
  ],
  notConsidered: ["volumes: they may be in a certain zone", "pod affinity: it may need to be beside other pods"],
};

const NONE: PlacedPod = {
  ...WEB,
  name: "batch",
  namespace: null,
  kind: "Pod",
  line: 20,
  placed: [],
  takenBy: null,
  instanceTypes: [],
  why: "the only pool does not take it",
  attempts: [attempt("general", "asks for 40 CPUs; the largest type left (m5.4xlarge) has 15.89", "resources")],
  notConsidered: [],
};

const REFUSED: PlacedPod = {
  ...NONE,
  name: "node-agent",
  why: "Karpenter ignores it: it has ended (status.phase Failed)",
  attempts: [],
};

const podsText = (some: AskedPods, style: Style, width: number): string =>
  terminalText(podBlocks(some), { style, width });

const asked = (pods: readonly PlacedPod[]): AskedPods => ({ pods, waiting: false });

const lines = (pods: readonly PlacedPod[], width = 100): string[] => podsText(asked(pods), PLAIN, width).split("\n");

it("is empty for no pods", () => {
  expect(podsText(asked([]), PLAIN, 80)).toBe("");
});

it("says that no pod of a cluster waits", () => {
  expect(podsText({ pods: [], waiting: true }, PLAIN, 80)).toBe("no pod waits for a node\n");
});

it("counts equal pods of a cluster, which have no line number", () => {
  const live = { ...WEB, attempts: [], notConsidered: [], line: 0, file: "guest:pods/web-1" };
  expect(
    lines([
      { ...live, count: 3, pods: 3, placed: [{ pool: "general", pods: 3, nodes: 2 }] },
      { ...live, count: 1 },
    ]).filter((line) => line.includes("pod")),
  ).toStrictEqual([
    "shop/web Deployment (3 pods)  general takes all, on 2 nodes  guest:pods/web-1",
    "shop/web Deployment  general takes it  guest:pods/web-1",
    "4 pods: 4 taken",
  ]);
});

it("names the pool that takes each pod, and why the others do not", () => {
  expect(lines([WEB, NONE, REFUSED])).toStrictEqual([
    "shop/web Deployment  general may take it: volumes and pod affinity not looked at  pods.yaml:3",
    "  3 instance types:  m5.{large,xlarge}  c5.large",
    "  gpu            did not tolerate taint nvidia.com/gpu:NoSchedule (pools.yaml:40)",
    "  general        takes it",
    "  spare          could take it; Karpenter picks general first",
    "  not looked at  volumes: they may be in a certain zone",
    "                 pod affinity: it may need to be beside other pods",
    "",
    "batch Pod  gets no node: the only pool does not take it  pods.yaml:20",
    "  general  asks for 40 CPUs; the largest type left (m5.4xlarge) has 15.89",
    "",
    "node-agent Pod  gets no node  pods.yaml:20",
    "  Karpenter ignores it: it has ended (status.phase Failed)",
    "",
    "3 pods: 2 without a node, 1 perhaps taken",
    "",
  ]);
});

it("puts sentences under their titles on a narrow terminal", () => {
  expect(lines([WEB], 44)).toStrictEqual([
    "shop/web Deployment  general may take it: volumes and pod affinity not looked at  pods.yaml:3",
    "  3 instance types:  m5.{large,xlarge}",
    "  c5.large",
    "  gpu",
    "    did not tolerate taint",
    "    nvidia.com/gpu:NoSchedule",
    "    (pools.yaml:40)",
    "  general",
    "    takes it",
    "  spare",
    "    could take it; Karpenter picks general",
    "    first",
    "  not looked at",
    "    volumes: they may be in a certain zone",
    "    pod affinity: it may need to be beside",
    "    other pods",
    "",
    "1 pod: 1 perhaps taken",
    "",
  ]);
});

describe("many", () => {
  it("pools: those that take it or came closest", () => {
    const others = Array.from({ length: 30 }, (_, index) =>
      attempt(`p${String(index)}`, "no", index === 29 ? "resources" : "taint"),
    );
    const shown = lines([{ ...WEB, attempts: [...others, ...WEB.attempts], notConsidered: [] }]).slice(2);
    expect(shown).toStrictEqual([
      "  general  takes it",
      "  spare    could take it; Karpenter picks general first",
      "  p29      no",
      ...Array.from({ length: 7 }, (_, index) => `  p${String(index)}       no`),
      "  and 23 more pools (-o json lists all)",
      "",
      "1 pod: 1 taken",
      "",
    ]);
  });

  it("instance types: by family", () => {
    const names = Array.from({ length: 30 }, (_, index) => `m${String(index % 8)}.${String(index)}xlarge`);
    expect(lines([{ ...WEB, instanceTypes: names }], 140)[1]).toBe(
      "  30 instance types:  m0 (4)  m1 (4)  m2 (4)  m3 (4)  m4 (4)  m5 (4)  and 6 of other families",
    );
  });

  it("hosted clusters: each pod with its own", () => {
    expect(
      lines([WEB, { ...WEB, hostedCluster: "clusters-c2" }]).filter((line) => line.includes("pods.yaml")),
    ).toStrictEqual([
      "clusters-c1 shop/web Deployment  general may take it: volumes and pod affinity not looked at  pods.yaml:3",
      "clusters-c2 shop/web Deployment  general may take it: volumes and pod affinity not looked at  pods.yaml:3",
    ]);
  });
});

it("paints pools that take it or could, and pods without a node", () => {
  const mark = (name: string) => (text: string) => `<${name}:${text}>`;
  const style = Object.fromEntries(Object.keys(PLAIN).map((name) => [name, mark(name)])) as unknown as Style;
  const text = podsText(asked([WEB, NONE]), style, 100);
  for (const painted of [
    "<strong:shop/web>",
    "<info:general may take it: volumes and pod affinity not looked at>",
    "<good:general>",
    "<info:spare>",
    "<faint:gpu>",
  ])
    expect(text).toContain(painted);
  expect(text).toContain("<error:gets no node: the only pool does not take it>");
  expect(text).toContain("2 pods: <error:1 without a node>, <info:1 perhaps taken>");
});

it("cannot be controlled by names", () => {
  const hostile = "a\u001b[31m\nb";
  const pod = {
    ...WEB,
    name: hostile,
    namespace: hostile,
    file: hostile,
    kind: hostile,
    attempts: [attempt(hostile, hostile)],
    notConsidered: [hostile],
  };
  expect(podsText(asked([{ ...pod, takenBy: hostile, instanceTypes: [hostile] }]), PLAIN, 100)).not.toContain("\u001b");
  expect(lines([{ ...pod, takenBy: null, why: hostile }])).toHaveLength(6 + 1);
});
