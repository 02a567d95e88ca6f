/** Tests the laws of rendering on random inputs and counts the cases. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect } from "vitest";
import { parseAllDocuments } from "yaml";
import { run } from "../golden/case.ts";
import type { Run } from "../process/run-anp.ts";
import { bypassedLabels } from "./admission-model.ts";
import { scenario } from "./arbitraries.ts";
import { base64, objectsOf, PLACES, stream, writeFiles } from "./documents.ts";
import type { Pool, Scenario } from "./scenario.ts";

const BLOCKER = { key: "node.kubernetes.io/instance-type", operator: "In", values: ["blocked-by-autonodepolicy"] };

/** How often each case occurred: a property without a single case proves nothing. */
export interface Seen {
  rendered: number;
  bypassed: number;
  blocked: number;
  withoutPolicy: number;
  refused: number;
}

export async function checkRendering(runs: number, seed: number): Promise<Seen> {
  const folder = mkdtempSync(join(tmpdir(), "anp-property-"));
  const seen: Seen = { rendered: 0, bypassed: 0, blocked: 0, withoutPolicy: 0, refused: 0 };
  try {
    await fc.assert(
      fc.asyncProperty(scenario, fc.infiniteStream(fc.nat()), async (given, numbers) => {
        await checkScenario(given, [...numbers.take(32)], folder, seen);
      }),
      { numRuns: runs, seed },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return seen;
}

async function checkScenario(given: Scenario, numbers: readonly number[], folder: string, seen: Seen): Promise<void> {
  const objects = objectsOf(given);
  const text = stream(objects);
  const result = await run(folder, ["render", "-", "--report", "json"], text);
  const labels = given.pools.flatMap((pool) => bypassedBy(given, pool));
  const bypassed = given.pools.filter((pool) => bypassedBy(given, pool).length > 0);
  const fails = bypassed.length > 0 && given.config.onBypass !== "Block";
  const codes = codesOf(result);

  // Violations of the policy are found, and conforming pools are not reported.
  expect(codes.filter((code) => code === "policy-bypassed")).toHaveLength(fails ? labels.length : 0);
  expect(codes.filter((code) => code === "policy-bypass-blocked")).toHaveLength(fails ? 0 : labels.length);
  if (result.exit !== 0) expect(result.stdout).toBe("");
  if (fails) expect(result.exit).toBe(1);
  if (result.exit === 0) checkObjects(given, result, bypassed);
  keepsSecrets(given, result);
  expect(await run(folder, ["render", "-", "--report", "json"], text)).toStrictEqual(result);

  const order = objects.map((_, index) => index).toSorted((a, b) => numbers[a]! - numbers[b]! || a - b);
  const places = order.map((index) => numbers[index + 16]! % PLACES.length);
  const directory = join(folder, "in");
  writeFiles(
    directory,
    order.map((index) => objects[index]!),
    places,
  );
  const shuffled = await run(folder, ["render", "in"]);
  expect({ exit: shuffled.exit, stdout: shuffled.stdout }).toStrictEqual({ exit: result.exit, stdout: result.stdout });
  keepsSecrets(given, shuffled);

  if (result.exit === 0) {
    writeFileSync(join(directory, "earlier.yaml"), result.stdout);
    expect((await run(folder, ["render", "in"])).stdout).toBe(result.stdout);
  }
  count(given, result, bypassed, seen);
}

function bypassedBy(given: Scenario, pool: Pool): string[] {
  return bypassedLabels(given.policy?.requirements ?? [], pool.requirements ?? [], {
    ...pool.labels,
    ...nodeLabels(given),
  });
}

function nodeLabels({ config }: Scenario): Readonly<Record<string, string>> {
  const forced = { "hypershift.openshift.io/nodepool-globalps-enabled": "true" };
  return (config["nodeLabels"] as Record<string, string> | undefined) ?? forced;
}

interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: { readonly template: { readonly spec: Record<string, unknown>; readonly metadata?: unknown } };
}

/** Every wrapper has its object, and a pool has the policy's entries and then its own: none lost, none invented. */
function checkObjects(given: Scenario, { stdout }: Run, bypassed: readonly Pool[]): void {
  const objects = parseAllDocuments(stdout).map((document) => document.toJS() as Rendered);
  const named = (kind: string) => objects.filter((object) => object.kind === kind);
  const classes = given.config["ec2NodeClasses"] === "Skip" ? [] : given.nodeClasses;
  expect(named("EC2NodeClass").map(({ metadata }) => metadata.name)).toStrictEqual(sortedNames(classes));
  expect(named("NodePool").map(({ metadata }) => metadata.name)).toStrictEqual(sortedNames(given.pools));
  for (const pool of given.pools) {
    const { template, ...rest } = named("NodePool").find(({ metadata }) => metadata.name === pool.name)!.spec;
    const { requirements, nodeClassRef: _resolved, ...copied } = template.spec;
    const wanted = [
      ...(given.policy?.requirements ?? []),
      ...(pool.requirements ?? []),
      ...(bypassed.includes(pool) ? [BLOCKER] : []),
    ];
    expect(requirements).toStrictEqual(wanted);
    const { nodeClassRef: _given, ...own } = pool.template;
    expect({ ...copied, ...rest }).toStrictEqual({ ...own, ...pool.rest });
    const labels = { ...pool.labels, ...nodeLabels(given) };
    expect(template.metadata).toStrictEqual(Object.keys(labels).length === 0 ? undefined : { labels });
  }
}

function sortedNames(wrappers: readonly { readonly name: string }[]): string[] {
  return wrappers.map(({ name }) => name).toSorted((a, b) => (a < b ? -1 : 1));
}

/** No part of a token is printed, in plain text or in base64. */
export function keepsSecrets({ userData }: Pick<Scenario, "userData">, { stdout, stderr }: Run): void {
  const printed = stdout + stderr;
  for (const { token, text } of userData) {
    expect(printed.includes(text)).toBe(false);
    for (const part of [...windows(token, 8), ...windows(base64(text), 12), ...windows(base64(token), 12)]) {
      if (printed.includes(part)) throw new Error(`\`${part}\` of user data is printed:\n${printed}`);
    }
  }
}

function windows(text: string, size: number): string[] {
  return Array.from({ length: Math.max(text.length - size + 1, 0) }, (_, start) => text.slice(start, start + size));
}

function codesOf({ stderr }: Run): string[] {
  return (JSON.parse(stderr) as { findings: { code: string }[] }).findings.map(({ code }) => code);
}

function count(given: Scenario, result: Run, bypassed: readonly Pool[], seen: Seen): void {
  if (result.exit === 0) seen.rendered += 1;
  else seen.refused += 1;
  if (bypassed.length > 0) seen[result.exit === 0 ? "blocked" : "bypassed"] += 1;
  if (given.policy === undefined) seen.withoutPolicy += 1;
}
