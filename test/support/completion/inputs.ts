/** A folder with two hosted clusters and what may stand beside their manifests. */
import { folderWith, policy, pool } from "../process/inputs.ts";

const FILES = {
  "clusters/a/policy.yaml": policy("clusters-a"),
  "clusters/a/pools.yaml": `${pool("web")}---\n${pool("batch")}`,
  "clusters/b/policy.yaml": policy("clusters-b"),
  "clusters/b/pools.yaml": pool("web"),
  "my dir/all.yaml": `${policy("clusters-c")}---\n${pool("spaced")}`,
  "broken/a.yaml": `a: [`,
  "broken/b.yaml": `${policy("clusters-d")}---\n${pool("intact")}`,
  // What somebody who may commit manifests would like others to run.
  "evil/all.yaml": `${policy("clusters-e")}---\n${pool('"$(touch hacked)"')}---\n${pool('"`touch hacked`"')}---\n${pool('"a b"')}`,
};

export function inputs(): string {
  return folderWith(FILES);
}
