/** Tests what the dashboard shows of objects that a pass did not plan. */
import { expect, it } from "vitest";
import type { Resource } from "../../krm/places/resource.ts";
import { detailsOfPass } from "./pass-details.ts";

const written = (kind: string, name: string) =>
  ({ kind, name, value: { kind, metadata: { name }, spec: {} } }) as unknown as Resource;

const live = (kind: string, name: string) => ({ kind, apiVersion: "karpenter.sh/v1", metadata: { name }, spec: {} });

it.each([
  ["a wrapper", written("OpenshiftNodePool", "web"), [], "unknown", "no plan was made for NodePools"],
  ["a NodePool in a file", written("NodePool", "web"), [], "not ours", "users write it, and a watch does not apply it"],
  [
    "one that is applied, too",
    written("NodePool", "web"),
    [live("NodePool", "web")],
    "not ours",
    "users write it, and a watch does not apply it",
  ],
  [
    "one in the cluster alone",
    undefined,
    [live("NodePool", "web")],
    "not ours",
    "it has no wrapper, and anp did not create it",
  ],
])("%s", (_what, wrapper, objects, words, why) => {
  const pass = {
    outcomes: [],
    live: objects,
    dryRun: false,
    bundle: { nodePools: wrapper === undefined ? [] : [wrapper], nodeClasses: [] },
    resolved: undefined,
    verdicts: [],
    problems: [],
    nodeLimits: { pools: [], problems: [] },
  };
  const { pools } = detailsOfPass(pass as never, () => expect.unreachable());
  expect(pools.map(({ name, state }) => ({ name, state }))).toStrictEqual([
    { name: "web", state: { words, why, tone: words === "unknown" ? "warning" : "calm" } },
  ]);
});
