/** The API server's verdict on an object, in a dry run, with its message. */
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { create } from "../controlplane/objects.ts";
import { no, ok, type Verdict } from "./faults/table.ts";

export interface Judgement {
  readonly verdict: Verdict;
  /** Empty when the object is accepted. */
  readonly message: string;
}

/** 400: refused by the decoder, also for unknown fields. 422: refused by the schema and its rules. */
const REFUSALS = [400, 422];

export async function askServer(controlPlane: ControlPlane, object: KubernetesObject): Promise<Judgement> {
  const { status, body, text } = await create(controlPlane, "system:admin", object, { dryRun: true });
  if (status === 201) return { verdict: ok, message: "" };
  // An error of the API server is no verdict.
  if (!REFUSALS.includes(status)) throw new Error(`${status} ${text}`);
  return { verdict: no, message: body.message ?? "" };
}
