/** Tests that NodePools of adopt --raw admit the same nodes as their wrappers, and that adopt leads back. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { run } from "../../support/golden/case.ts";
import { scenario } from "../../support/property/arbitraries.ts";
import { objectsOf as objectsOfScenario, stream } from "../../support/property/documents.ts";
import { seedOf } from "../../support/property/seed.ts";
import type { Raw } from "../../support/adopt/expected.ts";
import { objectsOf } from "../../support/adopt/round-trip.ts";

const MARK = "anp.hypershift.openshift.io/policy-end";
const BLOCKED = "blocked-by-autonodepolicy";

type Entry = { readonly key: string; readonly values?: readonly string[] };

/** A NodePool, with its list apart. Everything else of its template is part of Karpenter's hash of it. */
function partsOf({ metadata, spec }: Raw) {
  const { template, ...rest } = spec as { template: { spec: { requirements: Entry[] } } };
  const { requirements, ...others } = template.spec;
  const own = requirements.filter(({ key, values }) => key !== MARK && values?.[0] !== BLOCKED);
  const isBlocked = requirements.some(({ values }) => values?.[0] === BLOCKED);
  return { name: metadata.name, own, isBlocked, rest: { ...rest, template: { ...template, spec: others } } };
}

const poolsOf = (text: string) => objectsOf(text).filter(({ kind }) => kind === "NodePool");

const command = (args: readonly string[], objects: readonly object[]) =>
  run(process.cwd(), [...args, "-", "--report", "json"], stream(objects as readonly Record<string, unknown>[]));

it("admits the same nodes with the same template under random policies, and leads back", async () => {
  const seen = { same: 0, blocked: 0, withPolicy: 0, notRendered: 0, full: 0, alone: 0 };
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      const objects = objectsOfScenario(given);
      const wrapped = await command(["render"], objects);
      if (wrapped.exit !== 0 || given.pools.length === 0) return void (seen.notRendered += 1);
      const adopted = await command(["adopt", "--raw"], objects);
      // Without the policy's entries, which took the numbers away, the pool would crash Karpenter.
      if (adopted.exit === 1 && adopted.stderr.includes("requirement-crashes-karpenter")) return void (seen.alone += 1);
      expect(adopted.exit, adopted.stderr).toBe(0);
      const others = objects.filter(({ kind }) => kind !== "OpenshiftNodePool");
      const raw = await command(["render", "--node-pools", "Raw"], [...others, ...objectsOf(adopted.stdout)]);
      // The mark is one more entry.
      if (raw.exit !== 0 && raw.stderr.includes("requirements-limit")) return void (seen.full += 1);
      expect(raw.exit, raw.stderr).toBe(0);
      const before = poolsOf(wrapped.stdout).map(partsOf);
      expect(poolsOf(raw.stdout).map(partsOf)).toStrictEqual(before);
      const back = await command(["adopt"], [...others, ...poolsOf(raw.stdout)]);
      expect(back.exit, back.stderr).toBe(0);
      const again = await command(["render"], [...others, ...objectsOf(back.stdout)]);
      expect(poolsOf(again.stdout)).toStrictEqual(poolsOf(wrapped.stdout));
      seen.same += 1;
      seen.blocked += before.some(({ isBlocked }) => isBlocked) ? 1 : 0;
      seen.withPolicy += given.policy?.requirements === undefined ? 0 : 1;
    }),
    { numRuns: 120, seed: seedOf("adopt --raw", 20_261_126) },
  );
  console.log(`adopt --raw: ${JSON.stringify(seen)}`);
  // Some five of them are blocked, and a seed may have none.
  for (const what of ["same", "withPolicy"] as const) expect(seen[what], what).toBeGreaterThan(2);
}, 300_000);
