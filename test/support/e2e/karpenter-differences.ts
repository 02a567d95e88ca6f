/** The table of intended differences between Karpenter's CRDs, anp's CRDs and anp's models, with reasons. */
import { no, ok, type Verdict } from "./faults/table.ts";

export interface Verdicts {
  readonly karpenters: Verdict;
  readonly ours: Verdict;
  readonly model: Verdict;
}

interface Difference extends Verdicts {
  readonly reason: string;
  /** Matches the names of all its cases, and of no other. */
  readonly cases: RegExp;
}

export const DIFFERENCES: readonly Difference[] = [
  {
    reason:
      "the proposal of the v1 API: conditions need only type, status and lastTransitionTime; shipped so for NodeClaims alone",
    karpenters: no,
    ours: ok,
    model: ok,
    cases: /^(NodePool|EC2NodeClass) status\.conditions\[\d\](: without (reason|message)|\.(reason|message): null)$/,
  },
  {
    reason: "the API server takes a list where the format is a time; users do not write one",
    karpenters: ok,
    ours: ok,
    model: no,
    cases: /(Time|timeAdded): a list$|[tT]aints: a list instead of a time$/,
  },
  {
    reason: "JavaScript does not distinguish 1.0 from 1; kubectl and GitOps tools read YAML and send 1",
    karpenters: no,
    ours: no,
    model: ok,
    cases: /minValues 1\.0$/,
  },
  {
    reason: "JavaScript would round the number, so it is refused; in quotes it is accepted",
    karpenters: ok,
    ours: ok,
    model: no,
    cases: /a number beyond 2\^53$/,
  },
];

export function differenceOf(what: string): Difference | undefined {
  return DIFFERENCES.find(({ cases }) => cases.test(what));
}
