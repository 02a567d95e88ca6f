/** Reads the manifests in CloudFormation templates that the AWS CDK wrote. */
import { hiddenSource, type Source } from "../../krm/places/source.ts";
import { fieldsOf, isFields, listOf } from "../../krm/values/fields.ts";
import { readJsonStyle } from "../../krm/yaml/json-style.ts";

const TYPE = "Custom::AWSCDK-EKS-KubernetesResource";

/** The property of such a resource. */
export const MANIFEST = "Manifest";
const BEFORE = `{"${MANIFEST}":`;

const NAMES_OURS = /karpenter|eks\.amazonaws\.com/;

/** Whether a text is worth a look: a template is in no other way different from other JSON. */
export function mayBeTemplate({ text }: Source): boolean {
  return text.includes(TYPE);
}

/** A manifest of a template. */
export interface OfTemplate {
  /** The name of the resource in the template. */
  readonly name: string;
  /** A mapping with one field, the manifest, that leads to its strings; undefined if the value is of another form. */
  readonly manifest: Source | undefined;
}

/**
 * The manifests of a template, which hold a placeholder for each value that CloudFormation knows later
 * (docs/upstream/hosts.md#objects-that-embed-manifests). Undefined if it is no JSON.
 */
export function manifestsOfTemplate(template: Source): OfTemplate[] | undefined {
  const [document] = readJsonStyle(template.text) ?? [];
  if (document === undefined) return undefined;
  const shown = hiddenSource(template);
  let from = 0;
  return Object.entries(fieldsOf(fieldsOf(document.value)["Resources"])).flatMap(([name, resource]): OfTemplate[] => {
    const { Type: type, Properties: properties } = fieldsOf(resource);
    if (type !== TYPE) return [];
    const manifest = fieldsOf(properties)[MANIFEST];
    const parts = partsOf(manifest);
    if (parts === undefined) return NAMES_OURS.test(JSON.stringify(manifest)) ? [{ name, manifest: undefined }] : [];
    const { text, starts } = joined(parts, (part) => {
      const found = template.text.indexOf(JSON.stringify(part), from);
      // What is spelled otherwise counts as written at the end, so that no part is searched for twice.
      from = found === -1 ? template.text.length : found + 1;
      return from - 1;
    });
    const origin = (offset: number) => ({ source: shown, offset: offsetAt(starts, offset) });
    return [{ name, manifest: { ...template, explicit: false, text, origin } }];
  });
}

/** Where a part of a text begins, there and in the template. */
type Start = readonly [at: number, offset: number];

function joined(parts: readonly unknown[], offsetOf: (part: string) => number) {
  const texts: string[] = [BEFORE];
  const starts: Start[] = [];
  let at = BEFORE.length;
  let isInString = false;
  let offset = 0;
  for (const part of parts) {
    if (typeof part === "string") {
      offset = offsetOf(part);
      isInString = endsInString(part, isInString);
    }
    const text = typeof part === "string" ? part : placeholderOf(part, isInString);
    starts.push([at, offset]);
    texts.push(text);
    at += text.length;
  }
  return { text: `${texts.join("")}}`, starts };
}

function offsetAt(starts: readonly Start[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]![0] <= offset) low = middle;
    else high = middle - 1;
  }
  return starts[low]?.[1] ?? 0;
}

/** A string, or strings and references that are joined without a separator. */
function partsOf(manifest: unknown): readonly unknown[] | undefined {
  if (typeof manifest === "string") return [manifest];
  const [separator, parts] = listOf(fieldsOf(manifest)["Fn::Join"]);
  return separator === "" && Array.isArray(parts) ? parts : undefined;
}

/** In quotes unless it is in a string already. */
function placeholderOf(reference: unknown, isInString: boolean): string {
  const placeholder = `\${${nameOf(reference)}}`;
  return isInString ? placeholder : `"${placeholder}"`;
}

/** `Name` of a Ref, `Name.Attribute` of an Fn::GetAtt. */
function nameOf(reference: unknown): string {
  const value = isFields(reference) ? Object.values(reference)[0] : undefined;
  const name = [value].flat().filter((part) => typeof part === "string");
  return name.join(".").replace(/[^\w.:-]+/g, "") || "value";
}

function endsInString(json: string, isInString: boolean): boolean {
  let inside = isInString;
  for (let at = 0; at < json.length; at++) {
    if (json[at] === "\\") at += 1;
    else if (json[at] === '"') inside = !inside;
  }
  return inside;
}
