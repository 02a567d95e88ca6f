/** Compares the verdicts of anp's models and of the API server on cases. */
import type { Profile } from "../../../src/model/crds/profile.ts";
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { Difference } from "./faults/differences.ts";
import type { Case } from "./faults/table.ts";
import { askModel } from "./model-verdict.ts";
import { askServer, type Judgement } from "./server-verdict.ts";

export interface Answer extends Case {
  readonly model: Judgement;
  readonly server: Judgement;
}

/** Enough requests at once to use the API server fully. */
const AT_ONCE = 8;

export async function askBoth(controlPlane: ControlPlane, cases: readonly Case[], profile: Profile): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let start = 0; start < cases.length; start += AT_ONCE) {
    const some = cases.slice(start, start + AT_ONCE).map(async (one) => {
      const model = askModel(one.object, profile);
      return { ...one, model, server: await askServer(controlPlane, one.object) };
    });
    answers.push(...(await Promise.all(some)));
  }
  return answers;
}

/** Descriptions of unexpected differences, for a test that expects none. A listed difference that does not exist counts, too. */
export function surprises(answers: readonly Answer[], known: ReadonlyMap<string, Difference>): string[] {
  return answers.flatMap(({ what, expected, model, server }) => {
    const wanted = known.get(what) ?? { model: expected, server: expected };
    if (model.verdict === wanted.model && server.verdict === wanted.server) return [];
    const sides = [
      `expected: model ${wanted.model}, server ${wanted.server}`,
      `model ${model.verdict}: ${model.message}`,
      `server ${server.verdict}: ${server.message}`,
    ];
    return [[what, ...sides].join("\n  ")];
  });
}

/** Listed differences without a case. */
export function stale(answers: readonly Answer[], known: ReadonlyMap<string, Difference>): string[] {
  const asked = new Set(answers.map(({ what }) => what));
  return [...known.keys()].filter((what) => !asked.has(what));
}
