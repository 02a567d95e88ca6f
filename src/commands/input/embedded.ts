/** Reads manifests inside other objects and in templates of the AWS CDK, for questions. */
import { type Finding, findingAt, findingInDocument, hasErrors, type Outcome } from "../../krm/findings/finding.ts";
import { holdsOurs } from "../../krm/findings/known-kinds.ts";
import { parseSources } from "../../krm/parse/parse.ts";
import { unpackObjects } from "../../krm/parse/unpack.ts";
import { type FieldPath, formatFieldPath } from "../../krm/places/field-path.ts";
import { locationOf } from "../../krm/places/location.ts";
import { describeResource, groupOf, type Resource } from "../../krm/places/resource.ts";
import { scalarSource } from "../../krm/places/scalar-source.ts";
import type { Source } from "../../krm/places/source.ts";
import { fieldsOf } from "../../krm/values/fields.ts";
import { readJsonStyle } from "../../krm/yaml/json-style.ts";
import { MANIFEST, manifestsOfTemplate } from "../../model/objects/cdk-template.ts";
import { embeddedObjects } from "../../model/objects/embedded-objects.ts";
import { isKarpenters } from "../../model/objects/input-mode.ts";
import { withReadablePlaceholders } from "./fill-placeholders.ts";

/** The objects with those of Karpenter inside others, and findings on what may hold some and cannot be read. */
export function withEmbedded(
  { value, findings }: Outcome<readonly Resource[]>,
  templates: readonly Source[],
): { readonly value: Resource[]; readonly findings: readonly Finding[] } {
  const reading = new Reading(value);
  for (const resource of value) reading.addInside(resource, 0);
  for (const template of templates) reading.addOfTemplate(template);
  const { found, unread, files } = reading;
  if (found.length === 0 && unread.length === 0) return { value: [...value], findings };
  // A template is read, although it is no manifest.
  const isOfTemplate = ({ code, file = "" }: Finding) =>
    (code === "file-skipped" || code === "not-krm") && files.has(file);
  const left = findings.filter((finding) => !isOfTemplate(finding));
  return { value: [...value, ...found], findings: [...left, ...unread] };
}

/** Objects inside objects inside objects: more is not written by hand. */
const MOST_DEEP = 4;

/** Texts without one of these are not parsed. */
const GROUPS = /karpenter|eks\.amazonaws\.com/;

class Reading {
  readonly found: Resource[] = [];
  readonly unread: Finding[] = [];
  /** Templates of which something is read. */
  readonly files = new Set<string>();
  readonly #known = new Map<string, Resource>();
  readonly #ofInterest = new Map<Source, boolean>();

  constructor(resources: readonly Resource[]) {
    for (const resource of resources) if (isKarpenters(resource)) this.#known.set(idOf(resource), resource);
  }

  addInside(holder: Resource, depth: number): void {
    if (depth > MOST_DEEP || isKarpenters(holder) || !this.#isOfInterest(holder.document.source)) return;
    const inside = holder.inside ?? describeResource(holder);
    if (holder.kind === "ConfigMap" && groupOf(holder.apiVersion) === "") {
      for (const [key, text] of Object.entries(fieldsOf(holder.value["data"])))
        if (typeof text === "string" && holdsOurs(text)) this.#addText(holder, ["data", key], text, inside, depth);
      return;
    }
    for (const { path, value } of embeddedObjects(holder)) {
      if (typeof value === "string") {
        this.#addText(holder, path, value, inside, depth);
        continue;
      }
      const { value: objects } = unpackObjects(value, holder.document, [...holder.base, ...path]);
      this.#add(objects, inside, depth);
    }
  }

  addOfTemplate(template: Source): void {
    if (!this.#isOfInterest(template)) return;
    for (const { name, manifest } of manifestsOfTemplate(template) ?? []) {
      if (manifest !== undefined && !holdsOurs(manifest.text)) continue;
      const objects = manifest === undefined ? [] : objectsInJson(manifest);
      this.#add(objects, `resource ${name}`, 0);
      if (objects.length > 0) this.files.add(template.file);
      else this.unread.push(unreadIn(template, name));
    }
  }

  #addText(holder: Resource, path: FieldPath, text: string, inside: string, depth: number): void {
    const source = scalarSource(holder, [...path], text);
    const { value, findings } = parseSources([withReadablePlaceholders(source) ?? source]);
    const problem = findings.find(({ severity }) => severity === "error")?.message;
    const objects = hasErrors(findings) ? [] : value;
    this.#add(objects, inside, depth);
    if (objects.length > 0) return;
    const words = wordsOf(
      `${formatFieldPath(path)} of ${describeResource(holder)}`,
      problem ?? "it is no list of objects",
    );
    this.unread.push(findingAt("embedded-unread", holder, path, words));
  }

  #add(objects: readonly Resource[], inside: string, depth: number): void {
    for (const object of objects) {
      const resource = { ...object, inside };
      this.addInside(resource, depth + 1);
      if (!isKarpenters(resource)) continue;
      const id = idOf(resource);
      const known = this.#known.get(id);
      if (known === undefined) {
        this.#known.set(id, resource);
        this.found.push(resource);
        continue;
      }
      const message = `${describeResource(resource)} in ${inside} is passed over: ${locationOf(known, [])} has one of that name`;
      const hint = "read each of the two by itself, such as by its folder";
      this.unread.push(findingAt("embedded-unread", resource, [], { message, hint }));
    }
  }

  #isOfInterest(source: Source): boolean {
    const known = this.#ofInterest.get(source) ?? GROUPS.test(source.text);
    this.#ofInterest.set(source, known);
    return known;
  }
}

const NOT_JSON = "it is put together in a way that anp does not know";

function unreadIn(source: Source, name: string): Finding {
  const document = { source, start: 0, end: source.text.length, secret: true };
  const at = Math.max(0, source.text.indexOf(JSON.stringify(name)));
  return findingInDocument("embedded-unread", document, at, wordsOf(`resource ${name}`, NOT_JSON));
}

function wordsOf(what: string, why: string) {
  return {
    message: `${what} names Karpenter's objects and is passed over: ${why}`,
    hint: "pass the manifests that are applied in the end",
  };
}

/** What is of one cluster stands in one folder, or in one build. */
function idOf({ apiVersion, kind, name, folder, document: { source } }: Resource): string {
  return [source.built ?? folder, groupOf(apiVersion), kind, name].join("\n");
}

/** Lists of objects may be in lists. */
function objectsInJson(source: Source): readonly Resource[] {
  const [document] = readJsonStyle(source.text) ?? [];
  if (document === undefined) return [];
  const { start, end, value: whole } = document;
  const place = { source, start, end, secret: false };
  const objects = (value: unknown, base: FieldPath): readonly Resource[] =>
    Array.isArray(value)
      ? value.flatMap((item: unknown, index) => objects(item, [...base, index]))
      : unpackObjects(value, place, base).value;
  return objects(fieldsOf(whole)[MANIFEST], [MANIFEST]);
}
