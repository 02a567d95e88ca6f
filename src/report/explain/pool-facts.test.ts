/** The facts of a pool fit the terminal. */
import type { DescribedPool } from "../../analyze/explain/pool-answer.ts";
import { expect, it } from "vitest";
import { terminalLines } from "../blocks/terminal.ts";
import { factsOf } from "./pool-facts.ts";
import { PLAIN } from "../terminal/style.ts";

const label = (key: string, value: string) => ({
  key,
  entries: [{ key, from: "label", requirement: `In [${value}]`, file: "pool.yaml", line: 1 }],
});

const POOL = {
  provider: { name: "aws", title: "Karpenter on AWS" },
  requirements: [
    label("example.com/tier", "silver"),
    label("example.com/team", "checkout"),
    label("hypershift.openshift.io/nodepool-globalps-enabled", "true"),
  ],
  taints: ["dedicated=db:NoSchedule"],
  zones: { allowed: [], excluded: [] },
  prices: null,
  nodeClass: "default",
  order: { place: 1, of: 2 },
  weight: 10,
} as unknown as DescribedPool;

it("are below the name, in lines of the terminal's width", () => {
  expect(
    terminalLines([{ kind: "facts", facts: factsOf(POOL), nameWidth: 13, indent: 2 }], { style: PLAIN, width: 80 }),
  ).toStrictEqual([
    "  capacity type  any: reserved, then spot, then on-demand",
    "  node labels    example.com/tier=silver, example.com/team=checkout,",
    "                 hypershift.openshift.io/nodepool-globalps-enabled=true",
    "  taints         dedicated=db:NoSchedule",
    "  node class     default",
    "  order          1 of 2, weight 10",
  ]);
});
