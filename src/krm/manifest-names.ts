/** Which files of a folder may hold manifests, on disk and in a commit: by their names alone. */

const EXTENSIONS = [".yaml", ".yml", ".json"];
/** Configuration of the tools around: never applied to a cluster. */
const NOT_MANIFESTS = ["kustomization.yaml", "kustomization.yml", "Kustomization", "Kptfile"];

/** Whether somebody may expect it to be read. */
export function mayHoldManifests(name: string): boolean {
  return isOfOtherTools(name) || EXTENSIONS.some((extension) => name.toLowerCase().endsWith(extension));
}

/** Whether it is configuration of kustomize or kpt. */
export function isOfOtherTools(name: string): boolean {
  return NOT_MANIFESTS.includes(name);
}
