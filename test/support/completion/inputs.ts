/** A folder with paths to complete: two hosted clusters, and a name with a space. */
import { folderWith, policy, pool } from "../process/inputs.ts";

const FILES = {
  "clusters/a/policy.yaml": policy("clusters-a"),
  "clusters/a/pools.yaml": pool("web"),
  "clusters/b/policy.yaml": policy("clusters-b"),
  "my dir/all.yaml": policy("clusters-c"),
  "broken/a.yaml": "",
};

export function inputs(): string {
  return folderWith(FILES);
}
