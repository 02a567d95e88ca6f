/** Verifies that objects marked as output of anp are what anp renders now. */
import type { FieldPath } from "../../krm/places/field-path.ts";
import { type Finding, findingAt } from "../../krm/findings/finding.ts";
import { describeResource, type Resource } from "../../krm/places/resource.ts";
import { isUsersNodePool } from "../../model/inputs/bundle.ts";
import type { Gathered } from "../../model/inputs/gather.ts";
import { RENDERED_FROM, renderedFrom } from "../../model/objects/marks.ts";
import type { RenderedCluster } from "../../render/render-all.ts";
import { fieldsApart, pathsText, renderedOf, type Standard, standardOf } from "./standard.ts";

interface Difference {
  readonly message: string;
  readonly path: FieldPath;
}

/**
 * Any author of a file can write marks into it, so only equality with the rendered object counts. A cluster that cannot
 * be rendered has errors of its own.
 */
export function checkOutputs({ bundles, strayOutput }: Gathered, clusters: readonly RenderedCluster[]): Finding[] {
  if (strayOutput.length === 0 && bundles.every(({ earlierOutput }) => earlierOutput.length === 0)) return [];
  const standards = bundles.map((_bundle, index) => standardOf(clusters[index]));
  const own = standards.flatMap((standard) =>
    standard === undefined
      ? []
      : standard.bundle.earlierOutput.flatMap((output) => {
          const difference = differenceOf(output, standard);
          return difference === undefined ? [] : [stale(output, difference)];
        }),
  );
  // If one cluster cannot be rendered, a stray output may belong to it.
  const known = standards.filter((standard) => standard !== undefined);
  const strays =
    known.length < standards.length
      ? []
      : strayOutput.filter((output) => known.every((one) => differenceOf(output, one) !== undefined));
  const names = bundles.map(({ hostedCluster }) => hostedCluster ?? "").join(", ");
  return [
    ...own,
    ...strays.map((output) =>
      stale(output, {
        message: `is in no hosted cluster's folder, and no hosted cluster renders it: ${names}`,
        path: [],
      }),
    ),
  ];
}

/**
 * NodePools that users write and that rendering would change. Another rendering, or a guard, may change them after this
 * run if a setting says so.
 */
export function checkUsersPools(clusters: readonly RenderedCluster[]): Finding[] {
  return clusters.flatMap((cluster) => {
    const standard = standardOf(cluster);
    if (standard === undefined || standard.inputs.settings.enforcedBy !== undefined) return [];
    return standard.bundle.nodePools.filter(isUsersNodePool).flatMap((pool) => {
      const object = renderedOf(pool, standard);
      const paths = object === undefined ? [] : fieldsApart(pool, object, standard).map(({ path }) => path);
      const [first] = paths;
      if (first === undefined) return [];
      const message = `${describeResource(pool)} differs from what rendering writes: ${pathsText(paths)}`;
      const hint = "run anp fn without validate before, or say with enforcedBy what enforces the policy";
      return [findingAt("output-stale", pool, first, { message, hint })];
    });
  });
}

function differenceOf(output: Resource, standard: Standard): Difference | undefined {
  const object = renderedOf(output, standard);
  const from = renderedFrom(output.value);
  if (object === undefined) {
    if (hasBrokenWrapper(output, standard)) return undefined;
    const message = `is marked as rendered from ${from.replace("/", " ")}, but nothing with its name is rendered now`;
    return { message, path: ["metadata", "annotations", RENDERED_FROM] };
  }
  const wrapper = renderedFrom(object);
  if (from !== wrapper)
    return {
      message: `is marked as rendered from ${from.replace("/", " ")}, but is rendered from ${wrapper.replace("/", " ")}`,
      path: ["metadata", "annotations", RENDERED_FROM],
    };
  if (output.apiVersion !== object.apiVersion)
    return {
      message: `has the apiVersion ${output.apiVersion}, but anp renders ${object.apiVersion}`,
      path: ["apiVersion"],
    };
  const paths = fieldsApart(output, object, standard).map(({ path }) => path);
  const [first] = paths;
  if (first === undefined) return undefined;
  return { message: `differs from what ${wrapper.replace("/", " ")} renders to: ${pathsText(paths)}`, path: first };
}

/** An invalid wrapper is an error already, so its output cannot be compared. */
function hasBrokenWrapper({ kind, name }: Resource, { bundle, inputs }: Standard): boolean {
  const wrappers =
    kind === "NodePool"
      ? bundle.nodePools
      : kind === "EC2NodeClass" && inputs.settings.renderNodeClasses
        ? bundle.nodeClasses
        : [];
  return wrappers.some((wrapper) => wrapper.name === name);
}

function stale(output: Resource, { message, path }: Difference): Finding {
  const hint =
    "render again with the settings of this run: anp render --output-dir and anp fn replace and remove earlier output";
  return findingAt("output-stale", output, path, { message: `${describeResource(output)} ${message}`, hint });
}
