/** Tests that `anp explain` and `anp check` agree on whether a pool gets nodes. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkClusters } from "../../../src/analyze/check/check.ts";
import { explainClusters } from "../../../src/analyze/explain/explain.ts";
import type { PoolExplanation } from "../../../src/analyze/explain/explanation.ts";
import { renderLoaded } from "../../../src/commands/input/render-loaded.ts";
import { resolvedOf } from "../../../src/render/render-all.ts";
import type { Finding } from "../../../src/krm/findings/finding.ts";
import { bundlesOfFiles } from "../../../src/library/bundles-of-files.ts";
import {
  CATALOGUES,
  type Question,
  question,
  RESERVATION,
  wrappedManifests,
} from "../../support/property/questions.ts";
import { seedOf } from "../../support/property/seed.ts";
import { resolve } from "../../../src/resolve/resolve.ts";

interface Said {
  readonly explanations: readonly PoolExplanation[];
  readonly findings: readonly Finding[];
}

function ask(asked: Question): Said {
  const { catalogue, profile } = asked;
  const objects = wrappedManifests(asked);
  const files = objects.map((object, index) => ({ path: `${index}.json`, text: JSON.stringify(object) }));
  const options = { profile: profile as "hypershift" };
  const loaded = bundlesOfFiles(files, options);
  const rendered = renderLoaded(loaded, options, resolve);
  const known = CATALOGUES[catalogue]!;
  const clusters = resolvedOf(rendered.value.clusters);
  return {
    explanations: explainClusters(clusters, known).flatMap(({ explanations }) => explanations),
    findings: [...rendered.findings, ...checkClusters(clusters, known, { pricesFor: () => undefined })],
  };
}

/** For one pool, independent of other pools. */
const OF_POOL: readonly string[] = ["pool-unsatisfiable", "min-values-unreachable", "requirements-conflict"];
/** For one entry that alone excludes everything, from any source. */
const OF_ENTRY: readonly string[] = ["value-unknown", "requirement-unmatchable"];

function isOfPool({ code, message }: Finding, name: string): boolean {
  return OF_POOL.includes(code) && message.startsWith(`OpenshiftNodePool ${name}:`);
}

function isOfItsConflict({ code, message, resource, field = "" }: Finding, { conflict }: PoolExplanation): boolean {
  if (code === "policy-unsatisfiable") return true;
  const leavesNone = message.endsWith("leaves none") || code === "requirement-unmatchable";
  return (
    OF_ENTRY.includes(code) &&
    leavesNone &&
    conflict.some(({ place }) => {
      const at = place.path
        .reduce<string>((text, step) => (typeof step === "number" ? `${text}[${step}]` : `${text}.${step}`), "")
        .slice(1);
      return place.resource.name === resource?.name && field.startsWith(at);
    })
  );
}

describe("a pool that gets no nodes", () => {
  const seen = new Map<string, number>();

  it("has this verdict in explain exactly if check reports it", () => {
    const count = (what: string): unknown => seen.set(what, (seen.get(what) ?? 0) + 1);
    fc.assert(
      fc.property(question, (asked) => {
        const { explanations, findings } = ask(asked);
        for (const explanation of explanations) {
          const { pool, verdict, obstacles } = explanation;
          const ofPool = findings.filter((finding) => isOfPool(finding, pool.name));
          const others = findings.filter((finding) => isOfItsConflict(finding, explanation));
          expect([verdict === "unsatisfiable", obstacles.length > 0]).toStrictEqual(
            Array(2).fill(ofPool.length + (verdict === "unsatisfiable" ? others.length : 0) > 0),
          );
          // A contradiction of the pool admits absent labels again, so it bypasses the policy or matches nothing.
          if (findings.some(({ code }) => code === "policy-unsatisfiable")) expect(verdict).not.toBe("ok");
          count(`${asked.catalogue}: ${verdict}`);
          for (const { from, requirement } of explanation.conflict) count(`${from} ${requirement.key}`);
          for (const { code } of [...ofPool, ...others]) if (verdict === "unsatisfiable") count(code);
        }
      }),
      { numRuns: 1000, seed: seedOf("verdicts", 21) },
    );
  });

  it("occurs among the random ones, for every reason and every catalogue", () => {
    const verdicts = Object.keys(CATALOGUES).flatMap((name) =>
      ["ok", "unsatisfiable"].map((word) => `${name}: ${word}`),
    );
    const conflicts = ["karpenter.sh/capacity-type", RESERVATION, "kubernetes.io/arch"].map((key) => `class ${key}`);
    const few = [...verdicts, ...conflicts, ...OF_POOL, ...OF_ENTRY, "policy-unsatisfiable"].filter(
      (what) => (seen.get(what) ?? 0) < 20,
    );
    expect(few).toStrictEqual([]);
  });
});
