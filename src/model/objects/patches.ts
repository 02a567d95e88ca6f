/** Objects in files of patches, which hold parts of objects: only what they change. */
import { type Finding, findingInFile, type Outcome } from "../../krm/findings/finding.ts";
import { KARPENTER_AWS_GROUP } from "../../krm/findings/known-kinds.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { groupOf, type Resource } from "../../krm/places/resource.ts";
import { isRawNodePool } from "./role.ts";

/** Such as `patch-pool.yaml` and `pool.patch.yaml`. */
const OF_PATCH = /(?:^|[-_.])patch(?:es)?[-_.]/i;

/** The objects without Karpenter's own that are parts by the name of their file and lack what each object has. */
export function withoutPatches(resources: readonly Resource[]): Outcome<readonly Resource[]> {
  const { true: parts = [], false: value = [] } = Object.groupBy(resources, (one) => String(isPart(one)));
  const files = new Set(parts.map(({ document }) => document.source.file));
  return { value: parts.length === 0 ? resources : value, findings: [...files].map(passedOver) };
}

function isPart(resource: Resource): boolean {
  const { file } = resource.document.source;
  if (!OF_PATCH.test(file.slice(file.lastIndexOf("/") + 1))) return false;
  const lacks = (...path: string[]): boolean => valueAt(resource.value, ["spec", ...path]) === undefined;
  if (isRawNodePool(resource)) return lacks("template", "spec", "nodeClassRef");
  return (
    resource.kind === "EC2NodeClass" &&
    groupOf(resource.apiVersion) === KARPENTER_AWS_GROUP &&
    lacks("amiSelectorTerms")
  );
}

function passedOver(file: string): Finding {
  return findingInFile("file-passed-over", file, {
    message: "is a patch by its name, and its objects lack fields that each object has: they are passed over",
    hint: "read the patched objects, such as the output of kustomize build",
  });
}
