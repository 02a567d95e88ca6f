/** An attempt to get round a guard, and what becomes of it: answers of the API server in, the outcome in a word out. */
import { sameValue } from "../../../../src/krm/same-value.ts";
import { BLOCKER } from "../../../../src/resolve/resolve-pool.ts";
import type { Answer } from "../../controlplane/https-client.ts";
import type { KubernetesObject } from "../../controlplane/kubernetes-object.ts";
import { type Entries, outcomeOf, requirementsOf } from "../guarded-cluster.ts";
import { FRONT, type Guarded, ROOT, type WHO } from "./guarded-clusters.ts";

/** `no effect`: it is stored, and carries the policy all the same. `succeeds`: the guard is round, or gone. */
export type Outcome = "refused" | "no effect" | "succeeds";

export interface Attack {
  readonly who: keyof typeof WHO;
  readonly tries: string;
  /** Of a guard of the API, and of one in files where that differs. */
  readonly api: Outcome;
  readonly files?: Outcome | "–";
  /** What holds it, or would. */
  readonly by: string;
  readonly act: (on: Guarded) => Promise<Outcome>;
}

/** Where all of it is refused with these words; what is stored has to carry the policy. */
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

/** With the blocker or without. */
function frontOf(object: KubernetesObject): Entries {
  return requirementsOf(object)
    .filter((entry) => !sameValue(entry, BLOCKER))
    .slice(0, FRONT.length);
}

function carriesPolicy(object: KubernetesObject): boolean {
  if (object.kind === "NodePool") return sameValue(frontOf(object), FRONT);
  if (object.kind !== "EC2NodeClass") return false;
  const { blockDeviceMappings: devices = [] } = object.spec as {
    blockDeviceMappings?: { deviceName?: string; rootVolume?: boolean; ebs: object }[];
  };
  const [first, ...others] = devices;
  const isRoot = (name = ""): boolean => /^(\/dev\/)?(xvda|sda1)$/.test(name);
  return sameValue(first?.ebs, ROOT) && !others.some((one) => one.rootVolume === true || isRoot(one.deviceName));
}
