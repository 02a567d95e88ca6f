/** The arguments of tools: their schema, and the words of the command line that they become. */
import * as z from "zod";
import { confinedPath, Refused } from "./confined-path.ts";

/**
 * What a value is: a `name` is a word of its own, and the only one that is needed. `path` and `paths` lead to files of the folder, and a `side` may be a commit instead. A pattern is a
 * path in which `*` stands for each folder.
 */
type Kind = "name" | "flag" | "text" | "texts" | "path" | "paths" | "pattern" | "side";

interface Field {
  readonly kind: Kind;
  readonly description: string;
  readonly choices?: readonly [string, ...string[]];
}

export type Fields = Readonly<Record<string, Field>>;

const MOST_CHARACTERS = 1000;
const MOST_ENTRIES = 50;
/** Nothing that a terminal, a shell or git treats in its own way is needed in a value. */
const text = z
  .string()
  .min(1)
  .max(MOST_CHARACTERS)
  // oxlint-disable-next-line no-control-regex -- control characters are refused
  .regex(/^[^\u0000-\u001f\u007f]*$/, "has a control character");

const SCHEMAS: Readonly<Record<Kind, z.ZodType>> = {
  name: text,
  flag: z.boolean(),
  text,
  texts: z.array(text).min(1).max(MOST_ENTRIES),
  path: text,
  paths: z.array(text).min(1).max(MOST_ENTRIES),
  pattern: text,
  side: text,
};

/** How much of the answer is given. */
const PART = {
  limit: z.int().min(1).max(500).default(20).describe("At most so many entries of each list of the answer."),
  offset: z.int().min(0).default(0).describe("The first entry of each list: ask for the next part with it."),
};

/** The schema of a tool's arguments. */
export function argumentsSchema(fields: Fields) {
  const entries = Object.entries(fields).map(([name, { kind, description, choices }]) => {
    const schema = choices === undefined ? SCHEMAS[kind] : z.enum(choices);
    return [name, (kind === "name" ? schema : schema.optional()).describe(description)] as const;
  });
  return z.strictObject({ ...Object.fromEntries(entries), ...PART });
}

export interface Words {
  /** For the command line; a name and the paths come last, behind `--`. */
  readonly words: readonly string[];
  /** Whether a side is a commit. */
  readonly usesGit: boolean;
}

/**
 * The words of the command line. Each value is part of the word of its option, so that none can be an option itself.
 *
 * @param given valid by `argumentsSchema`
 * @param root the real folder that paths must not leave
 * @param ofCluster whether no paths means a cluster or a dump of one, and not the whole folder
 * @throws Refused for a path that leads out of the folder
 */
export function wordsOf(
  fields: Fields,
  given: Readonly<Record<string, unknown>>,
  root: string,
  ofCluster: boolean,
): Words {
  let usesGit = false;
  const wordsOfField = (name: string, { kind }: Field, value: unknown): string[] => {
    const option = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    switch (kind) {
      case "name":
        return [];
      case "flag":
        return value === true ? [option] : [];
      case "text":
        return [`${option}=${String(value)}`];
      case "texts":
        return (value as string[]).map((one) => `${option}=${one}`);
      case "path":
        return [`${option}=${confinedPath(root, String(value))}`];
      case "paths":
        return (value as string[]).map((one) => `${option}=${confinedPath(root, one)}`);
      case "pattern":
        return [`${option}=${confinedPattern(root, String(value))}`];
      case "side": {
        const side = sideOf(root, String(value));
        usesGit ||= side.isCommit;
        return [`${option}=${side.word}`];
      }
    }
  };
  const { paths = ofCluster ? [] : ["."] } = given as { readonly paths?: readonly string[] };
  const options = Object.entries(fields).flatMap(([name, field]) =>
    name === "paths" || given[name] === undefined ? [] : wordsOfField(name, field, given[name]),
  );
  const names = Object.keys(fields).filter((name) => fields[name]?.kind === "name");
  const files = paths.map((path) => confinedPath(root, path));
  return { words: [...options, "--", ...names.map((name) => String(given[name])), ...files], usesGit };
}

/** A folder or file, or else a commit of the repository that the folder is in. */
function sideOf(root: string, text: string): { readonly word: string; readonly isCommit: boolean } {
  const ref = /^ref:(.*)$/.exec(text)?.[1];
  const path = ref === undefined ? confinedPath(root, text, "mayBeMissing") : undefined;
  if (path !== undefined) return { word: path, isCommit: false };
  const name = ref ?? text;
  if (!/^[\w@][\w./@^~+{}-]*$/.test(name) || name.includes("..")) throw new Refused(`${text} is no name of a commit`);
  return { word: `ref:${name}`, isCommit: true };
}

function confinedPattern(root: string, text: string): string {
  const [before = "", ...rest] = text.split("*");
  if (rest.length === 0) return confinedPath(root, text);
  if (rest.some((part) => part.split("/").includes(".."))) throw new Refused(`${text} leads out of the folder`);
  const folder = before.slice(0, before.lastIndexOf("/") + 1);
  confinedPath(root, folder === "" ? "." : folder);
  return text;
}
