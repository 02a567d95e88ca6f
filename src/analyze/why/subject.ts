/** What `anp why` is asked about: the node, pod or pool that a name means. */
import type { Resource } from "../../krm/places/resource.ts";
import { counted, someOf } from "../../krm/values/counted.ts";
import { nearestWord } from "../../krm/values/nearest-word.ts";
import type { NodeState } from "../disrupt/node-state.ts";
import { namespaceOf } from "../plan/expand-pods.ts";

export type Subject =
  | { readonly kind: "node"; readonly node: NodeState }
  | { readonly kind: "pod"; readonly pod: Resource }
  | { readonly kind: "nodepool"; readonly name: string };

export interface Named {
  readonly nodes: readonly NodeState[];
  readonly pods: readonly Resource[];
  readonly pools: readonly string[];
}

type Kind = Subject["kind"];

/** As kubectl writes them. */
const KINDS: Readonly<Record<string, Kind>> = {
  node: "node",
  nodes: "node",
  no: "node",
  nodeclaim: "node",
  nodeclaims: "node",
  pod: "pod",
  pods: "pod",
  po: "pod",
  nodepool: "nodepool",
  nodepools: "nodepool",
};

/** Whether the text names its kind: `node/ip-10-0-0-7`, `pod/shop/web-1`, `nodepool/web`. */
export function namesKind(text: string): boolean {
  const [kind = "", ...rest] = text.split("/");
  return rest.length > 0 && Object.hasOwn(KINDS, kind);
}

/** The one object that the text means, or why there is none. */
export function subjectOf(text: string, named: Named): Subject | { readonly problem: string } {
  const [start = "", ...rest] = text.split("/");
  const kind = namesKind(text) ? KINDS[start] : undefined;
  const name = kind === undefined ? text : rest.join("/");
  const all = candidates(named).filter((one) => kind === undefined || one.subject.kind === kind);
  const found = all.filter(({ names }) => names.includes(name));
  const [first, ...others] = found;
  if (first !== undefined && others.length === 0) return first.subject;
  if (first !== undefined) {
    const texts = found.map(({ subject, names }) => `${subject.kind}/${names[0]!}`);
    return { problem: `${text} is ${counted(found.length, "object")}: write ${someOf(texts, 5)}` };
  }
  const near = nearestWord(
    name,
    all.flatMap(({ names }) => names),
    3,
  );
  const meant = near === undefined ? "" : `; did you mean ${near}?`;
  const what = kind === undefined ? "node, pod or NodePool" : kind === "nodepool" ? "NodePool" : kind;
  return { problem: `there is no ${what} ${name} among the input${meant}` };
}

/** Each object with the names that it may be called by, the longest first. */
function candidates({ nodes, pods, pools }: Named): { readonly subject: Subject; readonly names: readonly string[] }[] {
  return [
    ...nodes.map((node) => ({
      subject: { kind: "node" as const, node },
      names: [...new Set([node.life.name, node.life.claim ?? node.life.name])],
    })),
    ...pods.map((pod) => ({
      subject: { kind: "pod" as const, pod },
      names: [`${namespaceOf(pod)}/${pod.name}`, pod.name],
    })),
    ...pools.map((name) => ({ subject: { kind: "nodepool" as const, name }, names: [name] })),
  ];
}
