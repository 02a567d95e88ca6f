/** Whether what says that anp rendered it is what anp renders now. */
import type { FieldPath } from "../../krm/field-path.ts";
import { type Finding, findingAt } from "../../krm/finding.ts";
import { describeResource, type Resource } from "../../krm/resource.ts";
import type { Gathered } from "../../model/gather.ts";
import { RENDERED_FROM, renderedFrom } from "../../model/marks.ts";
import type { RenderedCluster } from "../../render/render-all.ts";
import { fieldsApart, pathsText, renderedOf, type Standard, standardOf } from "./standard.ts";

interface Difference {
  readonly message: string;
  readonly path: FieldPath;
}

/**
 * Whoever may commit a file may write marks into it, so output that is read counts for no more than its likeness to the
 * render. A cluster that cannot be rendered has errors of its own.
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
  // Where one cannot be told, it may be that one's.
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
        message: `stands in no hosted cluster's folder, and none of them renders it: ${names}`,
        path: [],
      }),
    ),
  ];
}

function differenceOf(output: Resource, standard: Standard): Difference | undefined {
  const object = renderedOf(output, standard);
  const from = renderedFrom(output.value);
  if (object === undefined) {
    if (hasBrokenWrapper(output, standard)) return undefined;
    const message = `says that it was rendered from ${from.replace("/", " ")}, and nothing of its name is rendered now`;
    return { message, path: ["metadata", "annotations", RENDERED_FROM] };
  }
  const wrapper = renderedFrom(object);
  if (from !== wrapper)
    return {
      message: `says that it was rendered from ${from.replace("/", " ")}, and it is rendered from ${wrapper.replace("/", " ")}`,
      path: ["metadata", "annotations", RENDERED_FROM],
    };
  if (output.apiVersion !== object.apiVersion)
    return { message: `is of ${output.apiVersion}, and ${object.apiVersion} is rendered`, path: ["apiVersion"] };
  const paths = fieldsApart(output, object, standard).map(({ path }) => path);
  const [first] = paths;
  if (first === undefined) return undefined;
  return { message: `is not what ${wrapper.replace("/", " ")} renders to: ${pathsText(paths)}`, path: first };
}

/** That the wrapper cannot be rendered is an error already; what it would render to, nobody can tell. */
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
    "render again, with the settings of this run: anp render --output-dir and anp fn replace and remove earlier output";
  return findingAt("output-stale", output, path, { message: `${describeResource(output)} ${message}`, hint });
}
