/** The arrangement of `anp doctor`: rules, each hosted cluster, and files of no cluster. */
import type { DescribedGovernment, DescribedRepository } from "../../analyze/list/doctor-answer.ts";
import { counted, someOf } from "../../krm/values/counted.ts";
import type { Block, Facts } from "../blocks/blocks.ts";

/** At most this many skipped files are shown; JSON has all. */
const IGNORED = 20;

const FILES = 5;

/** @param rules from which folders rules are read */
export function doctorBlocks(described: DescribedRepository, rules: string): Block[] {
  const { hostedClusters, sharedPolicies, strays, rawFolders, layouts, commands, ignored, foldersDecide } = described;
  const more = ignored.length - IGNORED;
  const rest: Facts["facts"] = [
    [
      "raw",
      rawFolders.map(
        ({ folder, nodePools, nodeClasses }) =>
          `${folder}: ${counted(nodePools, "NodePool")}, ${counted(nodeClasses, "node class", "node classes")}`,
      ),
    ],
    [
      "layouts",
      layouts.map(({ layout, files, nodePools, nodeClasses }) => {
        const objects = `${counted(nodePools, "NodePool")}, ${counted(nodeClasses, "node class", "node classes")}`;
        return `${layout}: ${objects} in ${someOf(files, FILES)}`;
      }),
    ],
    ["in CI", commands],
    ["shared", sharedPolicies.flatMap(sharedWords)],
    [
      "unassigned",
      strays.map(({ folder, wrappers, among }) => {
        const why = among.length === 0 ? "in no hosted cluster's folder" : `in the folder of ${among.join(" and ")}`;
        return `${folder}: ${counted(wrappers, "wrapper")} ${why}`;
      }),
    ],
    [
      "ignored",
      [
        ...ignored.slice(0, IGNORED).map(({ what, why }) => `${what}: ${why}`),
        ...(more > 0 ? [`and ${more} more (-o json lists all)`] : []),
      ],
    ],
  ];
  const hasRest = rest.some(([, values]) => values.length > 0);
  return [
    { kind: "facts", facts: [["rules", rules]] },
    ...(hostedClusters.length > ONE_BY_ONE
      ? together(hostedClusters, foldersDecide)
      : hostedClusters.map((one, at): Block => ({
          kind: "section",
          id: `cluster${at}`,
          heading: { kind: "heading", name: nameOf(one) },
          blocks: [{ kind: "facts", indent: 2, facts: factsOf(one, foldersDecide) }],
        }))),
    ...(hasRest && hostedClusters.length === 0 ? [{ kind: "gap" } as const] : []),
    ...(hasRest ? [{ kind: "facts", nameWidth: "unassigned".length, facts: rest } as const] : []),
  ];
}

/** More clusters share what they have in common, and have a row each for the rest. */
const ONE_BY_ONE = 3;

/** Of lists the first parts; JSON has all. */
function together(clusters: readonly DescribedGovernment[], foldersDecide: boolean): Block[] {
  const rows = clusters.map((one) => new Map(factsOf(one, foldersDecide).map((fact) => [fact[0], brief(fact)])));
  const names = [...rows[0]!.keys()];
  const common = names.filter((name) => rows.every((row) => row.get(name) === rows[0]!.get(name)));
  const own = names.filter((name) => !common.includes(name));
  return [
    {
      kind: "section",
      id: "clusters",
      heading: { kind: "heading", name: counted(clusters.length, "hosted cluster") },
      blocks: [
        { kind: "facts", indent: 2, facts: common.map((name) => [name, rows[0]!.get(name)!]) },
        {
          kind: "table",
          label: "What differs between the clusters",
          columns: ["cluster", ...own].map((head) => ({ head })),
          rows: clusters.map((one, at) => ({ cells: [nameOf(one), ...own.map((name) => rows[at]!.get(name) ?? "")] })),
        },
        {
          kind: "paragraph",
          words: "-o json has the wrappers of each folder, and why it is the cluster's",
          tone: "faint",
        },
      ],
    },
  ];
}

/** Wrappers without their folders, and folders without how they were found, which is behind a bracket. */
function brief([name, values]: DoctorFact): string {
  if (typeof values === "string") return values;
  return name === "wrappers"
    ? values[0]!
    : someOf(
        values.map((one) => one.split(" (")[0]!),
        FOLDERS,
      );
}

const FOLDERS = 3;

function nameOf({ hostedCluster }: DescribedGovernment): string {
  return hostedCluster ?? "no hosted cluster is named";
}

type DoctorFact = readonly [name: string, values: string | readonly string[]];

function factsOf(one: DescribedGovernment, foldersDecide: boolean): readonly DoctorFact[] {
  const { hostedControlPlane, hostedClusterObject, nodePools, rawNodePools = 0, nodeClasses, requirePolicy } = one;
  const raw = rawNodePools === 0 ? "" : `${rawNodePools} NodePool, `;
  const wrappers = `${raw}${nodePools} OpenshiftNodePool, ${nodeClasses} OpenshiftEC2NodeClass`;
  return [
    ["policy", policyWords(one)],
    ["RenderConfig", one.renderConfig ?? "none: the defaults"],
    ["HostedControlPlane", hostedControlPlane ?? ""],
    ["HostedCluster", hostedClusterObject ?? ""],
    ["folders", foldersDecide ? one.folders.map(({ folder, by, file }) => `${folder} (${by}, ${file})`) : EVERY],
    ["wrappers", [wrappers, ...one.wrapperFolders.map(({ folder, wrappers: own }) => `${folder}: ${own}`)]],
    ["profile", one.profile ?? ""],
    ["policy required", requirePolicy ? "yes" : ""],
    ["guard rails", one.guardRails ?? ""],
    ["baseline", one.baseline ?? ""],
  ];
}

function policyWords({ policy, extends: path, renderConfig }: DescribedGovernment): string {
  if (path === null) return policy ?? "no policy was read: users may ask for anything";
  return policy === null
    ? `missing: ${renderConfig} extends ${JSON.stringify(path)}`
    : `${policy} (extended by ${renderConfig})`;
}

/** At most this many clusters that extend a policy are named; JSON has all. */
const CLUSTERS = 10;

function sharedWords({ file, extendedBy, others }: DescribedRepository["sharedPolicies"][number]): string[] {
  return [
    `${file}: extended by ${someOf(extendedBy, CLUSTERS)}`,
    ...others.map(({ hostedCluster, file: own, differences }) => {
      const words = differences.map(
        ({ field, base, own: mine }) => `${field} ${mine ?? "none"}, not ${base ?? "none"}`,
      );
      const differs = words.length === 0 ? "means the same" : `differs: ${words.join("; ")}`;
      return `${hostedCluster ?? "no hosted cluster"} ${differs} (${own})`;
    }),
  ];
}

const EVERY = "all: there is no other hosted cluster";
