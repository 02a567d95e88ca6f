/** What the API server says of an object: the object in, accepted or refused with its message out; nothing is kept. */
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { create } from "../controlplane/objects.ts";
import { no, ok, type Verdict } from "./faults/table.ts";

export interface Judgement {
  readonly verdict: Verdict;
  /** Empty when the object is accepted. */
  readonly message: string;
}

/** 400 is what the decoder refuses, unknown fields among it, 422 what the schema and its rules refuse. */
const REFUSALS = [400, 422];

export async function askServer(controlPlane: ControlPlane, object: KubernetesObject): Promise<Judgement> {
  const { status, body, text } = await create(controlPlane, "system:admin", object, { dryRun: true });
  if (status === 201) return { verdict: ok, message: "" };
  // An API server that fails has not judged.
  if (!REFUSALS.includes(status)) throw new Error(`${status} ${text}`);
  return { verdict: no, message: body.message ?? "" };
}
