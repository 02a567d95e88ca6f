/** The verdicts on Karpenter's objects of two sets of CRDs and of anp's models. */
import * as z from "zod/mini";
import type { CustomResource } from "../../../src/model/crds/crd.ts";
import { ec2NodeClassResource } from "../../../src/model/ec2/node-class-resource.ts";
import { nodeClaimResource } from "../../../src/model/pools/node-claim.ts";
import { nodePoolResource } from "../../../src/model/pools/node-pool-resource.ts";
import { memoizeByKey } from "../../../src/model/schema/memoize.ts";
import type { Profile } from "../../../src/model/crds/profile.ts";
import { validate } from "../../../src/model/schema/validate.ts";
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { create } from "../controlplane/objects.ts";
import { objectPath } from "../controlplane/rest-path.ts";
import { no, ok } from "./faults/table.ts";
import type { KarpenterCase } from "./karpenter-corpus.ts";
import { resourceOf } from "./model-verdict.ts";
import { askServer, type Judgement } from "./server-verdict.ts";

/** Enough requests at once to use the API server fully. */
const AT_ONCE = 8;

/** The API server's verdict on each, with its current CRDs. */
export async function askServerAll(
  controlPlane: ControlPlane,
  cases: readonly KarpenterCase[],
  minimal: ReadonlyMap<string, KubernetesObject>,
): Promise<Judgement[]> {
  const written = new Map<string, KubernetesObject>();
  for (const [kind, object] of minimal) {
    const { status, body, text } = await create(controlPlane, "system:admin", object);
    if (status !== 201) throw new Error(text);
    written.set(kind, body);
  }
  const judgements: Judgement[] = [];
  for (let start = 0; start < cases.length; start += AT_ONCE) {
    const some = cases.slice(start, start + AT_ONCE).map(async ({ object, part }) => {
      if (part === "spec") return askServer(controlPlane, object);
      return askForStatus(controlPlane, { ...written.get(object.kind ?? ""), status: object.status });
    });
    judgements.push(...(await Promise.all(some)));
  }
  return judgements;
}

async function askForStatus(controlPlane: ControlPlane, object: KubernetesObject): Promise<Judgement> {
  const path = `${await objectPath(controlPlane, object)}/status?dryRun=All&fieldValidation=Strict`;
  const { status, body, text } = await controlPlane.request("system:admin", "PUT", path, object);
  if (status === 200) return { verdict: ok, message: "" };
  if (status !== 400 && status !== 422) throw new Error(`${status} ${text}`);
  return { verdict: no, message: body.message ?? "" };
}

/** The verdicts of the models behind `anp crds --karpenter`, without a server. */
export function askOurModel({ object }: KarpenterCase, profile: Profile): Judgement {
  const options = { code: "wrapper-invalid", unknownField: "unknown-field" } as const;
  const { findings } = validate(wholeObjects(profile)(object.kind ?? ""), resourceOf(object), options);
  const messages = findings.map(({ message }) => message);
  return { verdict: messages.length === 0 ? ok : no, message: messages.join("\n") };
}

const wholeObjects = memoizeByKey((profile: Profile) =>
  memoizeByKey((kind: string) => {
    const resource = karpenterResources(profile).find((one) => one.kind === kind);
    if (resource === undefined) throw new Error(`no model of ${kind}`);
    const spec = resource.spec();
    return z.looseObject({
      spec: resource.specRequired ? spec : z.optional(spec),
      status: z.optional(resource.status()),
    });
  }),
);

function karpenterResources(profile: Profile): CustomResource[] {
  return [nodePoolResource(profile), nodeClaimResource, ec2NodeClassResource(profile)];
}
