/** Fills placeholders in manifests from options and Flux, and leaves out what has no value. */
import type { Command } from "commander";
import { hasErrors, type Outcome } from "../../krm/findings/finding.ts";
import { parseSources } from "../../krm/parse/parse.ts";
import { withPlainPlaceholders } from "../../krm/values/placeholders.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { groupOf, type Resource } from "../../krm/places/resource.ts";
import type { Source } from "../../krm/places/source.ts";
import { fieldsOf, listOf } from "../../krm/values/fields.ts";
import { fillPlaceholders, leaveOutUnknown, type ValueFor } from "../../model/objects/placeholders.ts";
import { isKarpenters } from "../../model/objects/input-mode.ts";
import { memoizeByKey } from "../../model/schema/memoize.ts";
import type { Context } from "../cli/context.ts";
import { UnreadableError, UsageError } from "../cli/exit-codes.ts";
import { collect } from "../cli/options.ts";
import { readText } from "../cli/read-text.ts";

/** `--set` and `--env-file`. */
export interface FillOptions {
  /** `NAME=VALUE` */
  readonly set?: readonly string[] | undefined;
  readonly envFile?: readonly string[] | undefined;
}

export type Values = ReadonlyMap<string, string>;

/** @param setIsTaken whether `--set` has another meaning */
export function addFillOptions(command: Command, setIsTaken = false): Command {
  if (!setIsTaken)
    command.option("--set <name=value>", "a value for placeholders such as ${NAME}; repeatable", collect, []);
  return command.option("--env-file <file>", "a file of NAME=VALUE lines for placeholders; repeatable", collect, []);
}

/** The values of the options; those of `--set` come before those of files, and later files before earlier ones. */
export function valuesOf({ set = [], envFile = [] }: FillOptions, context: Context): Values {
  return new Map([...envFile.flatMap((file) => valuesIn(file, context)), ...set.map(parseValue)]);
}

/** @throws UsageError without the text, which may be a value */
function parseValue(text: string): [string, string] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new UsageError("--set takes NAME=VALUE");
  return [name.trim(), value];
}

/** Docker's form: no expansion; quotes around a whole value are not part of it. */
function valuesIn(file: string, context: Context): [string, string][] {
  return readText(file, context)
    .split(/\r?\n/)
    .flatMap((line, index): [string, string][] => {
      if (/^\s*(?:#|$)/.test(line)) return [];
      const [, name, value = ""] = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)=(.*)$/.exec(line) ?? [];
      if (name === undefined) throw new UnreadableError(file, `line ${index + 1} is not NAME=VALUE`);
      const [, , quoted] = /^(["'])(.*)\1$/.exec(value.trim()) ?? [];
      return [[name, quoted ?? value.trim()]];
    });
}

/** The values of options alone, for objects that may be compared with a policy. */
export function fillFrom(resources: readonly Resource[], values: Values): readonly Resource[] {
  return values.size === 0 ? resources : fillPlaceholders(resources, ({ name }) => ofUser(values, name));
}

/** All values that are known, by options, by Flux or as a default; then without what is left. */
export function fillForAnswer(resources: readonly Resource[], values: Values): Outcome<readonly Resource[]> {
  const ofFlux = valuesOfFlux(resources);
  const valueFor: ValueFor = ({ name, fallback }, { document }) =>
    ofUser(values, name) ?? ofFile(ofFlux(document.source.file)?.get(name) ?? fallback);
  return leaveOutUnknown(fillPlaceholders(resources, valueFor));
}

function ofUser(values: Values, name: string): ReturnType<ValueFor> {
  const value = values.get(name);
  return value === undefined ? undefined : { value, isHidden: true };
}

function ofFile(value: string | undefined): ReturnType<ValueFor> {
  return value === undefined ? undefined : { value, isHidden: false };
}

/** The source with its placeholders spelled as plain scalars, if it can be parsed then and holds what may be asked about. */
export function withReadablePlaceholders(source: Source): Source | undefined {
  const text = withPlainPlaceholders(source.text);
  if (text === undefined) return undefined;
  const spelled = { ...source, text, written: source.text };
  const { value, findings } = parseSources([spelled]);
  return hasErrors(findings) || !value.some(isKarpenters) ? undefined : spelled;
}

/** More would take long for a repository of many files, and a cluster has a few. */
const MOST_OF_FLUX = 1000;

/**
 * What the Kustomizations of Flux substitute in the files below their path (`spec.postBuild`). A name for which two of
 * them have different values has none. Secrets are not read.
 */
function valuesOfFlux(resources: readonly Resource[]): (file: string) => Values | undefined {
  const all = resources.filter(
    ({ apiVersion, kind, value }) =>
      kind === "Kustomization" &&
      groupOf(apiVersion) === "kustomize.toolkit.fluxcd.io" &&
      valueAt(value, ["spec", "postBuild"]) !== undefined,
  );
  if (all.length === 0 || all.length > MOST_OF_FLUX) return () => undefined;
  const maps = new Map(
    resources.flatMap(({ kind, name, namespace = "", value }) =>
      kind === "ConfigMap" ? [[`${namespace}/${name}`, fieldsOf(value["data"])] as const] : [],
    ),
  );
  const known = all.map(({ namespace = "", value }) => {
    const parts = String(valueAt(value, ["spec", "path"]) ?? "").split("/");
    const path = parts.filter((part) => part !== "" && part !== ".").join("/");
    const from = listOf(valueAt(value, ["spec", "postBuild", "substituteFrom"])).flatMap((one) => {
      const { kind, name } = fieldsOf(one);
      return kind === "ConfigMap" ? Object.entries(maps.get(`${namespace}/${String(name)}`) ?? {}) : [];
    });
    const own = Object.entries(fieldsOf(valueAt(value, ["spec", "postBuild", "substitute"])));
    return { path, values: new Map([...from, ...own].map(([name, text]) => [name, String(text)])) };
  });
  return memoizeByKey((file) => {
    const folder = `/${file.slice(0, file.lastIndexOf("/") + 1)}`;
    const found = new Map<string, string | undefined>();
    for (const { path, values } of known) {
      if (path !== "" && !folder.includes(`/${path}/`)) continue;
      for (const [name, value] of values)
        found.set(name, found.has(name) && found.get(name) !== value ? undefined : value);
    }
    return new Map([...found].flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
  });
}
