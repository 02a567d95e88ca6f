/** Finds packages below a package that start programs of their own. */
import { valueAt } from "../../krm/places/field-path.ts";
import { type Finding, findingAt } from "../../krm/findings/finding.ts";
import { packagePlaceOf } from "../../krm/resource-list/package-item.ts";
import type { Resource } from "../../krm/places/resource.ts";

/**
 * kpt runs the pipelines of packages below first (docs/upstream/hosts.md#kpt), and with --allow-exec their programs can
 * write any file, including the policy: the authors of such a package must not be trusted with the rules.
 * @param pathOf an item's path in the outermost package; undefined if it is unknown
 */
export function nestedExec(items: readonly Resource[], pathOf: (item: Resource) => string | undefined): Finding[] {
  return items.flatMap((item) => {
    if (item.kind !== "Kptfile" || pathOf(item) === "Kptfile") return [];
    // Only kpt fn render names packages, and only it runs their pipelines.
    if (packagePlaceOf(item.value)?.packagePath === undefined) return [];
    const places = ["mutators", "validators"].flatMap((list) => {
      const functions = valueAt(item.value, ["pipeline", list]);
      if (!Array.isArray(functions)) return [];
      return functions.flatMap((one, index) =>
        valueAt(one, ["exec"]) === undefined ? [] : [["pipeline", list, index, "exec"]],
      );
    });
    const [first] = places;
    if (first === undefined) return [];
    const message =
      "Kptfile of a package below starts a program, which could rewrite the rules before they are read (policyDir)";
    const hint = 'run `kpt fn eval --exec "anp fn"` instead of `kpt fn render --allow-exec`, or take the package out';
    return [findingAt("untrusted-program", item, first, { message, hint })];
  });
}
