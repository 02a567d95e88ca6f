/** How a repository holds pools and node classes, and which commands of anp fit its CI. */
import type { Layout } from "./doctor-answer.ts";
import type { Finding } from "../../krm/findings/finding.ts";
import { fileLineOf } from "../../krm/places/location.ts";
import type { Resource } from "../../krm/places/resource.ts";

const ORDER = ["YAML", "kustomize", "Helm", "Terraform", "inside other objects"] as const;

/** The layouts that hold some of the objects, with the files that people wrote. */
export function layoutsOf(resources: readonly Resource[]): Layout[] {
  const byLayout = Map.groupBy(resources, layoutOf);
  return ORDER.flatMap((layout): Layout[] => {
    const own = byLayout.get(layout) ?? [];
    if (own.length === 0) return [];
    const nodePools = own.filter(({ kind }) => kind === "NodePool").length;
    return [
      { layout, files: [...new Set(own.map(fileOf))].toSorted(), nodePools, nodeClasses: own.length - nodePools },
    ];
  });
}

function layoutOf(resource: Resource): (typeof ORDER)[number] {
  const file = fileOf(resource);
  if (resource.inside !== undefined) return "inside other objects";
  if (/\.(?:tf|tofu|tfvars|tpl|tftpl)(?:\.json)?$/.test(file)) return "Terraform";
  if (resource.document.source.built === undefined) return "YAML";
  const names = file.split("/");
  return names.includes("templates") || names.at(-1)!.includes("values") ? "Helm" : "kustomize";
}

function fileOf(resource: Resource): string {
  return fileLineOf(resource, []).file;
}

/** @param paths as the user gives them */
export function commandsFor(paths: readonly string[], findings: readonly Finding[]): string[] {
  const given = paths.map(quoted).join(" ");
  const isUnfilled = findings.some(({ code }) => code === "placeholder-unfilled");
  const values = isUnfilled ? " --env-file values.env" : "";
  return [`anp check ${given}${values} --report github`, `anp diff ${given}${values} --against origin/main`];
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
