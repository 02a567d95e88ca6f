/** The hosted cluster of each folder and its rules, as plain lines: a block for each cluster. */
import type { DescribedGovernment, DescribedRepository } from "../../analyze/list/doctor-answer.ts";
import { counted } from "../../krm/counted.ts";
import { type Fact, factsText } from "../explain/facts-text.ts";
import { printable, withoutCommands } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";

/** At most this many skipped files are shown; JSON has all. */
const IGNORED = 20;

/** @param rules from which folders rules are read */
export function repositoryText(described: DescribedRepository, rules: string, style: Style): string {
  const { hostedClusters, strays, rawFolders, ignored, foldersDecide } = described;
  const blocks = hostedClusters.map((one) => {
    const name = one.hostedCluster ?? "no hosted cluster is named";
    return `\n${style.strong(withoutCommands(printable(name)))}\n${factsText(factsOf(one, foldersDecide))}`;
  });
  const more = ignored.length - IGNORED;
  const rest: Fact[] = [
    [
      "raw",
      rawFolders.map(
        ({ folder, nodePools, nodeClasses }) =>
          `${folder}: ${counted(nodePools, "NodePool")}, ${counted(nodeClasses, "node class", "node classes")}`,
      ),
    ],
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
  const tail = factsText(rest);
  return `${factsText([["rules", rules]])}${blocks.join("")}${tail === "" ? "" : `\n${tail}`}`;
}

function factsOf(one: DescribedGovernment, foldersDecide: boolean): Fact[] {
  const { hostedControlPlane, hostedClusterObject, nodePools, nodeClasses, requirePolicy } = one;
  const wrappers = `${nodePools} OpenshiftNodePool, ${nodeClasses} OpenshiftEC2NodeClass`;
  const optional = (name: string, value: string | null): Fact[] => (value === null ? [] : [[`  ${name}`, value]]);
  return [
    ["  policy", one.policy ?? "none: users may ask for anything"],
    ["  RenderConfig", one.renderConfig ?? "none: the defaults"],
    ...optional("HostedControlPlane", hostedControlPlane),
    ...optional("HostedCluster", hostedClusterObject),
    ["  folders", foldersDecide ? one.folders.map(({ folder, by, file }) => `${folder} (${by}, ${file})`) : EVERY],
    ["  wrappers", [wrappers, ...one.wrapperFolders.map(({ folder, wrappers: own }) => `${folder}: ${own}`)]],
    ...optional("profile", one.profile),
    ...(requirePolicy ? ([["  policy required", "yes"]] as const) : []),
    ...optional("guard rails", one.guardRails),
    ...optional("baseline", one.baseline),
  ];
}

const EVERY = "all: there is no other hosted cluster";
