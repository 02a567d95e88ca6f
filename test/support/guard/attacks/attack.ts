/** Defines an attack on a guard and classifies its outcome from the API server's responses. */
import { sameValue } from "../../../../src/krm/values/canonical.ts";
import { BLOCKER } from "../../../../src/resolve/guarded-list.ts";
import type { Answer } from "../../controlplane/https-client.ts";
import type { KubernetesObject } from "../../controlplane/kubernetes-object.ts";
import { END, type Entries, outcomeOf, requirementsOf } from "../guarded-cluster.ts";
import { FRONT, type Guarded, ROOT, type WHO } from "./guarded-clusters.ts";

/** `no effect`: it is stored, but with the policy. `succeeds`: the guard is bypassed or gone. */
export type Outcome = "refused" | "no effect" | "succeeds";

export interface Attack {
  readonly who: keyof typeof WHO;
  readonly tries: string;
  /** For a guard in the API, and for one in files if that differs. */
  readonly api: Outcome;
  readonly files?: Outcome | "–";
  /** What prevents it, or would. */
  readonly by: string;
  readonly act: (on: Guarded) => Promise<Outcome>;
}

/** Set if everything is refused with this message; stored objects must have the policy. */
export function outcomeOfAll(answers: readonly Answer[], words = /(?!)/): Outcome {
  const outcomes = answers.map((answer): Outcome => {
    if (answer.status < 300) return carriesPolicy(answer.body) ? "no effect" : "succeeds";
    const said = `${answer.status} ${outcomeOf(answer)}`;
    if (!words.test(said)) throw new Error(`refused for another reason: ${said}`);
    return "refused";
  });
  if (outcomes.includes("succeeds")) return "succeeds";
  return outcomes.every((outcome) => outcome === "refused") ? "refused" : "no effect";
}

/** With or without the blocker. */
function frontOf(object: KubernetesObject): Entries {
  return requirementsOf(object)
    .filter((entry) => !sameValue(entry, BLOCKER))
    .slice(0, FRONT.length);
}

/** A list without room for the policy. */
function isEmptied(object: KubernetesObject): boolean {
  return sameValue(requirementsOf(object).slice(0, 2), [BLOCKER, END]);
}

function carriesPolicy(object: KubernetesObject): boolean {
  if (object.kind === "NodePool") return sameValue(frontOf(object), FRONT) || isEmptied(object);
  if (object.kind !== "EC2NodeClass") return false;
  const { blockDeviceMappings: devices = [] } = object.spec as {
    blockDeviceMappings?: { deviceName?: string; ebs: object }[];
  };
  const [first, ...others] = devices;
  const isRoot = (name = ""): boolean => /^(\/dev\/)?(xvda|sda)\d*$/.test(name);
  return (
    first?.deviceName === "/dev/xvda" && sameValue(first.ebs, ROOT) && !others.some((one) => isRoot(one.deviceName))
  );
}
