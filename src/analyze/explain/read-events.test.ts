/** Events in the forms in which users have them, and text that is none. */
import { describe, expect, it } from "vitest";
import { partsOf, readEvents } from "./read-events.ts";

const TAINT = "did not tolerate taint (taint=dedicated=gpu:NoSchedule)";

interface Case {
  readonly text: string;
  readonly lines?: boolean;
  readonly object?: string;
  readonly reason?: string;
}

const FORMS: Readonly<Record<string, Case>> = {
  "a message": { text: `Failed to schedule pod, ${TAINT}` },
  "a message over several lines": { text: "did not\ntolerate taint (taint=dedicated=gpu:NoSchedule)" },
  "kubectl describe": {
    text: `  Warning  FailedScheduling  106s (x2 over 6m46s)  karpenter  Failed to schedule pod, ${TAINT}`,
    reason: "FailedScheduling",
  },
  "kubectl get events": {
    text: `2m   Warning   FailedScheduling   pod/web-1   Failed to schedule pod, ${TAINT}`,
    object: "Pod web-1",
    reason: "FailedScheduling",
  },
  "a log in JSON behind the name of a container": {
    text: `controller ${JSON.stringify({ message: "could not schedule pod", error: TAINT, Pod: { name: "web-1" } })}`,
    object: "Pod web-1",
  },
  "an older log": {
    text: `T1\tERROR\tcontroller\tCould not schedule pod, daemonset overhead={"cpu":"1"}, ${TAINT}\t{"pod": "shop/web-1"}`,
    object: "Pod web-1",
  },
  "an Event in JSON": {
    text: JSON.stringify({
      apiVersion: "v1",
      kind: "Event",
      involvedObject: { kind: "Pod", name: "web-1" },
      reason: "FailedScheduling",
      message: TAINT,
    }),
    object: "Pod web-1",
    reason: "FailedScheduling",
  },
  "an Event in YAML": {
    text: `apiVersion: events.k8s.io/v1\nkind: Event\nregarding: {kind: Pod, name: web-1}\nnote: ${TAINT}\n`,
    object: "Pod web-1",
  },
};

it.each(Object.entries(FORMS))("%s", (_form, { text, lines = false, object, reason }) => {
  const { events, cut } = readEvents(text, lines);
  expect(cut).toBe(false);
  expect(events).toHaveLength(1);
  const event = events[0]!;
  expect(event.object === null ? undefined : `${event.object.kind} ${event.object.name}`).toBe(object);
  expect(event.reason ?? undefined).toBe(reason);
  const { parts } = partsOf(event);
  expect(parts.map(({ message, taint }) => [message.id, taint])).toStrictEqual([
    ["taint-not-tolerated", "dedicated=gpu:NoSchedule"],
  ]);
});

/** What each message is, and on what. */
const MESSAGES: readonly (readonly [text: string, id: string, facts: object])[] = [
  [
    "incompatible requirements, key zone, zone In [c] not in zone In [a b] minValues 2",
    "requirements-contradict",
    { keys: ["zone"], existing: "In [a b] minValues 2" },
  ],
  [
    "no instance type met all requirements, requirements=karpenter.sh/nodepool In [web], a Exists >2, resources={}",
    "types-lack-labels",
    {
      pool: "web",
      requirements: new Map([
        ["karpenter.sh/nodepool", "In [web]"],
        ["a", "Exists >2"],
      ]),
    },
  ],
  [
    "No allowed disruptions for disruption reason Drifted due to blocking budget",
    "budget-blocks",
    { disruption: "Drifted" },
  ],
  ["not all pods would schedule, shop/web-1 => exceeds node resources", "node-full", { pod: "shop/web-1" }],
  [
    'incompatible requirements, label "team" does not have known values (typo of "x/team"?)',
    "label-unknown",
    { keys: ["team"] },
  ],
  ["minValues requirement is not met for label(s) (label(s)=[a b])", "min-values-missed", { keys: ["a", "b"] }],
  ["Pdb prevents pod evictions (PodDisruptionBudget=[shop/web])", "pdb-blocks", {}],
  ['NodePool "web" has consolidation disabled', "consolidation-off", { pool: "web" }],
];

it.each(MESSAGES)("%s", (text, id, facts) => {
  const { parts, unknown } = partsOf(readEvents(text, false).events[0]!);
  expect(parts.map(({ message }) => message.id)).toStrictEqual([id]);
  expect(parts[0]).toMatchObject(facts);
  expect(unknown).toStrictEqual([]);
});

describe("text that is too long", () => {
  it("is cut, and its messages are counted", () => {
    const { events, cut } = readEvents(`${TAINT}; `.repeat(30_000), false);
    const { parts } = partsOf(events[0]!);
    expect({ cut, parts: parts.map(({ count }) => count) }).toStrictEqual({ cut: true, parts: [1000] });
  });

  it("has at most a thousand events", () => {
    const { events, cut } = readEvents(Array.from({ length: 1001 }, (_, at) => String(at)).join("\n"), true);
    expect({ cut, events: events.length }).toStrictEqual({ cut: true, events: 1000 });
  });
});
