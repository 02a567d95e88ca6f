/** Describes each field of a CRD in one line, without descriptions and rules, to compare two CRDs. */
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { versionOf } from "./crd-parts.ts";

type Node = Readonly<Record<string, unknown>>;

/** Rules are compared by their verdicts, and descriptions are not compared. `required` has no effect on a field with a default. */
const KEYWORDS = [
  "type",
  "format",
  "enum",
  "default",
  "nullable",
  "x-kubernetes-int-or-string",
  "x-kubernetes-list-type",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-map-type",
  "x-kubernetes-preserve-unknown-fields",
];

export function fieldsOf(crd: KubernetesObject): Record<string, string> {
  return Object.fromEntries(linesOf(versionOf(crd).schema.openAPIV3Schema, "", true));
}

function linesOf(node: Node, path: string, optional: boolean): [string, string][] {
  const said = KEYWORDS.filter((keyword) => node[keyword] !== undefined).map(
    (keyword) => `${keyword} ${text(node[keyword])}`,
  );
  const must = optional || node["default"] !== undefined ? [] : ["required"];
  const properties = Object.entries((node["properties"] ?? {}) as Record<string, Node>);
  const required = (node["required"] ?? []) as string[];
  return [
    [path, [...said, ...must].join(", ")],
    ...properties.flatMap(([name, inner]) => linesOf(inner, `${path}.${name}`, !required.includes(name))),
    ...below(node["items"], `${path}[]`),
    ...below(node["additionalProperties"], `${path}{}`),
  ];
}

function below(node: unknown, path: string): [string, string][] {
  return typeof node === "object" && node !== null ? linesOf(node as Node, path, true) : [];
}

function text(value: unknown): string {
  const sorted = (_: string, inner: unknown): unknown => {
    if (Array.isArray(inner)) return inner.every((item) => typeof item === "string") ? inner.toSorted() : inner;
    if (typeof inner !== "object" || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  };
  return JSON.stringify(value, sorted);
}
