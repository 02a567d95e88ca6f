/** Our models and the API server side by side: cases in, what both said and where one said something unexpected out. */
import type { Profile } from "../../../src/model/profile.ts";
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { Difference } from "./faults/differences.ts";
import type { Case } from "./faults/table.ts";
import { askModel } from "./model-verdict.ts";
import { askServer, type Judgement } from "./server-verdict.ts";

export interface Answer extends Case {
  readonly model: Judgement;
  readonly server: Judgement;
}

/** So many at once keep the API server busy. */
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

/** In words, for a test that expects none; a difference that is listed and not there is unexpected too. */
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

/** Listed differences that no case is about. */
export function stale(answers: readonly Answer[], known: ReadonlyMap<string, Difference>): string[] {
  const asked = new Set(answers.map(({ what }) => what));
  return [...known.keys()].filter((what) => !asked.has(what));
}
