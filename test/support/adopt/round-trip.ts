/** Runs raw objects through `anp adopt` and `anp render` as a user does. */
import { expect } from "vitest";
import { parseAllDocuments, stringify } from "yaml";
import { run } from "../golden/case.ts";
import { expectedSpec, type Raw, RENDER_CONFIG } from "./expected.ts";

export interface Trip {
  /** Findings of adopt. */
  readonly stderr: string;
  readonly wrappers: string;
}

/** Fails unless every object round-trips, up to documented additions. */
export async function roundTrip(text: string, profile: string, name = "objects.yaml"): Promise<Trip> {
  const adopted = await run(process.cwd(), ["adopt", "-", "--profile", profile, "--report", "json"], text);
  expect({ name, exit: adopted.exit, stderr: adopted.exit === 0 ? "" : adopted.stderr }).toStrictEqual({
    name,
    exit: 0,
    stderr: "",
  });
  const input = `${adopted.stdout}---\n${stringify(RENDER_CONFIG)}`;
  const rendered = await run(process.cwd(), ["render", "-", "--profile", profile], input);
  expect({ name, exit: rendered.exit, stderr: rendered.exit === 0 ? "" : rendered.stderr }).toStrictEqual({
    name,
    exit: 0,
    stderr: "",
  });
  const specs = (objects: readonly Raw[], specOf: (object: Raw) => unknown) =>
    Object.fromEntries(objects.map((object) => [`${object.kind} ${object.metadata.name}`, specOf(object)]));
  const came = objectsOf(rendered.stdout).filter(({ kind }) => kind === "NodePool" || kind === "EC2NodeClass");
  expect(specs(came, ({ spec }) => spec)).toStrictEqual(specs(objectsOf(text), expectedSpec));
  return { stderr: adopted.stderr, wrappers: adopted.stdout };
}

/** The objects of a stream, including those in Lists. */
export function objectsOf(text: string): Raw[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Raw & { items?: Raw[] })
    .flatMap((object) => object.items ?? [object]);
}
