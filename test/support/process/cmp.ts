/** Runs `anp cmp generate` with a folder, an environment and flags. */
import type { Ended } from "./built.ts";
import { runAnp } from "./run-anp.ts";
import { policy, pool } from "./inputs.ts";

export type Environment = Readonly<Record<string, string>>;

export const generate = (cwd: string, env: Environment = {}, ...flags: string[]): Promise<Ended> =>
  runAnp(["cmp", "generate", ...flags], { cwd, env });

/** Parameters as Argo CD sends them. */
export const json = (...list: readonly unknown[]): Environment => ({ ARGOCD_APP_PARAMETERS: JSON.stringify(list) });

/** Two hosted clusters, each in its folder. */
export const TWO = {
  "a/policy.yaml": policy("clusters-a"),
  "a/pool.yaml": pool("of-a"),
  "b/policy.yaml": policy("clusters-b"),
  "b/pool.yaml": pool("of-b"),
};
