/** The fields of HostedControlPlane and HostedCluster that anp reads. */
import * as z from "zod/mini";
import { HYPERSHIFT_GROUP } from "../../krm/findings/known-kinds.ts";
import { groupOf, type Resource } from "../../krm/places/resource.ts";
import { mapOf } from "../schema/map-of.ts";

export const INSTANCE_PROFILE_ANNOTATION = "hypershift.openshift.io/aws-karpenter-default-instance-profile";

/**
 * The fields are hidden inputs (docs/design.md#hidden-inputs). The rest of these objects belongs to HyperShift, so
 * unknown fields are accepted.
 */
export const hostedControlPlaneSchema = z.looseObject({
  metadata: z.looseObject({ annotations: z.optional(mapOf(z.string())) }),
  spec: z.looseObject({
    infraID: z.optional(z.string().check(z.minLength(1))),
    platform: z.optional(
      z.looseObject({
        aws: z.optional(
          z.looseObject({
            resourceTags: z.optional(
              z.array(
                z.looseObject({
                  key: z.string().check(z.minLength(1)),
                  value: z.string(),
                  overridePolicy: z.optional(z.string()),
                }),
              ),
            ),
          }),
        ),
      }),
    ),
  }),
});

export function isHostedControlPlane(resource: Resource): boolean {
  return resource.kind === "HostedControlPlane" && groupOf(resource.apiVersion) === HYPERSHIFT_GROUP;
}

export function isHostedCluster(resource: Resource): boolean {
  return resource.kind === "HostedCluster" && groupOf(resource.apiVersion) === HYPERSHIFT_GROUP;
}

/**
 * The hosted control plane's namespace as HyperShift derives it from a HostedCluster
 * (docs/upstream/hypershift.md#hosted-control-planes).
 */
export function controlPlaneNamespace(hostedCluster: Resource): string | undefined {
  const { name, namespace } = hostedCluster;
  return namespace === undefined || name === "" ? undefined : `${namespace}-${name.replaceAll(".", "-")}`;
}
