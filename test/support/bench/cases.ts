/** The fixed set of cases: a task of anp, and the most similar task of another tool. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { clusterDump } from "./cluster-dump.ts";
import { type Inputs, writeInputs } from "./inputs.ts";
import type { Command } from "./measure.ts";
import { bareNode, binary, bundle, type Peers, type Program, source } from "./programs.ts";

export interface Case {
  readonly what: string;
  readonly own: Command;
  readonly peer: string;
  readonly other: Command;
  readonly runs: number;
}

const AS: Readonly<Record<string, Program | undefined>> = { bundle, binary, source };
const COLD_RUNS = 15;

const PLANNED = "fixtures/cases/plan/spread-over-zones";
const PLAN = `plan ${PLANNED}/in --pods ${PLANNED}/pods.yaml --catalogue ${PLANNED}/catalogue.json`.split(" ");

/** Cold starts of anp in each of its forms, beside a node that does nothing. */
export function coldStarts(): Case[] {
  const commands = [["--version"], ["render", "fixtures/quickstart"], ["explain", "fixtures/quickstart"], PLAN];
  return commands.flatMap((args) =>
    Object.entries(AS).flatMap(([form, program]) =>
      program === undefined
        ? []
        : [
            {
              what: `\`anp ${args.slice(0, 2).join(" ")}\`, ${form}`,
              own: program(...args),
              peer: "`node -e 0`",
              other: bareNode("-e", "0"),
              runs: COLD_RUNS,
            },
          ],
    ),
  );
}

/** All moves of Karpenter in clusters that are half empty, beside the answer for one node of each. */
export function consolidation(folder: string): Case[] {
  return [100, 300].map((nodes) => {
    const pods = nodes * 20;
    const file = join(folder, `cluster-${nodes}.json`);
    writeFileSync(file, JSON.stringify(clusterDump(nodes, pods)));
    return {
      what: `\`anp plan --consolidate\`, ${nodes} nodes and ${pods} pods`,
      own: bundle("plan", "--consolidate", file),
      peer: "`anp why` of one of the nodes",
      other: bundle("why", "node/ip-10-0-0-7", file),
      runs: 1,
    };
  });
}

/** The same wrappers for anp and for each peer. kustomize's time grows with the square of the input. */
export function throughput(peers: Peers, folder: string): Case[] {
  return [1, 100, 1_000, 10_000].flatMap((size) => {
    const inputs = writeInputs(join(folder, String(size)), size);
    const what = `${size} wrapper${size === 1 ? "" : "s"}`;
    const runs = size > 1_000 ? 1 : 5;
    const beside = (peer: string, other: Command | undefined, own: Command, more = ""): Case[] =>
      other === undefined ? [] : [{ what: what + more, own, peer, other, runs }];
    const forms = size === 1 || size === 1_000 ? AS : { bundle };
    return [
      ...Object.entries(forms).flatMap(([form, program]) =>
        program === undefined
          ? []
          : beside(
              "`kustomize build`, one requirement added",
              peers.kustomize?.("build", inputs.kustomize),
              program("render", inputs.anp),
              form === "bundle" ? "" : `, ${form}`,
            ),
      ),
      ...beside("`yq`, one requirement added", peers.yq?.(YQ, inputs.file), bundle("render", inputs.anp)),
      ...besidesOnce(inputs, peers, what, size),
    ];
  });
}

const YQ = '.spec.template.spec.requirements += {"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]}';

/** Measurements at one size only. */
function besidesOnce(inputs: Inputs, peers: Peers, what: string, size: number): Case[] {
  const cases: Case[] = [];
  if (size === 1_000 && peers.kubeconform !== undefined)
    cases.push({
      what: `\`anp check\`, ${what}`,
      own: bundle("check", inputs.anp),
      peer: "`kubeconform`, schemas only",
      other: peers.kubeconform("-strict", "-schema-location", inputs.schemas, inputs.file),
      runs: 5,
    });
  if (size === 1_000 && peers.kpt !== undefined)
    cases.push({
      what,
      own: bundle("render", inputs.anp),
      peer: "`kpt fn eval` with anp",
      other: peers.kpt("fn", "eval", inputs.anp, "-o", "unwrap", "--exec", inputs.fn),
      runs: 5,
    });
  if (size === 10_000)
    cases.push({
      what: `${what} in as many files`,
      own: bundle("render", inputs.files()),
      peer: `the same in one file`,
      other: bundle("render", inputs.anp),
      runs: 3,
    });
  return cases;
}
