/** Converts objects as Karpenter's webhook does, and reports what it changes silently. */
import { type FieldPath, quotedField } from "../krm/places/field-path.ts";
import type { Finding, Outcome } from "../krm/findings/finding.ts";
import type { Resource } from "../krm/places/resource.ts";
import { convertAsWebhook } from "../karpenter/conversion/convert-object.ts";
import type { KarpenterVersion } from "../karpenter/conversion/karpenter-type.ts";
import type { Refusal } from "../karpenter/conversion/malformed-field.ts";
import { type Fields, fieldsOf, listOf } from "../krm/values/fields.ts";
import { poolNameOf } from "./migrate-node-claim.ts";
import { type KarpenterObject, type MigrateOptions, type Migration, noteOn } from "./migration.ts";

export function migrateAsWebhook(objects: readonly KarpenterObject[], { to }: MigrateOptions): Outcome<Migration[]> {
  const findings: Finding[] = [];
  const pools = objects.filter(({ kind }) => kind === "NodePool").map(({ resource }) => resource);
  const value = objects.map(({ resource, kind, version, meant }): Migration => {
    const pool = kind === "NodeClaim" ? poolOf(resource, pools) : undefined;
    const converted = convertAsWebhook(resource.value, to, { pool, meant });
    if (version !== to) findings.push(...lost(resource, to));
    if ("value" in converted) return { resource, value: converted.value, split: [] };
    findings.push(failure(resource, converted.refusal));
    return { resource, value: resource.value, split: [] };
  });
  return { value, findings };
}

/** The pool of a claim in version v1, as Karpenter looks it up. */
function poolOf(claim: Resource, pools: readonly Resource[]): Fields | undefined {
  const name = poolNameOf(claim.value);
  const pool =
    pools.find((one) => one.name === name && one.folder === claim.folder) ?? pools.find((one) => one.name === name);
  if (pool === undefined) return undefined;
  const converted = convertAsWebhook(pool.value, "v1");
  return "value" in converted ? converted.value : undefined;
}

function failure(resource: Resource, refusal: Refusal): Finding {
  if ("path" in refusal) {
    const message = `: ${quotedField(refusal.path)} must be ${refusal.wanted}; otherwise Karpenter's conversion fails`;
    return noteOn(resource, "migrate-invalid", refusal.path, message);
  }
  if ("annotation" in refusal) {
    const message = ": the annotation is not JSON of Karpenter's conversion, which makes the conversion fail";
    return noteOn(resource, "migrate-invalid", ["metadata", "annotations", refusal.annotation], message, "remove it");
  }
  const message = `: the alias ${JSON.stringify(refusal.alias)} is unknown to Karpenter 1.0, which panics on it`;
  return noteOn(resource, "migrate-invalid", ["spec", "amiSelectorTerms"], message, "write al2023@latest, for example");
}

/** Changes that the webhook makes silently. */
function lost(resource: Resource, to: KarpenterVersion): Finding[] {
  const spec = fieldsOf(resource.value["spec"]);
  const template = resource.kind === "NodePool" ? fieldsOf(fieldsOf(spec["template"])["spec"]) : spec;
  const disruption = fieldsOf(spec["disruption"]);
  const at: FieldPath = resource.kind === "NodePool" ? ["spec", "template", "spec"] : ["spec"];
  const lossy = (path: FieldPath, message: string, hint?: string) =>
    noteOn(resource, "migrate-lossy", path, message, hint);
  const findings: Finding[] = [];
  const { consolidationPolicy, consolidateAfter } = disruption;
  const after = ["spec", "disruption", "consolidateAfter"];
  if (to === "v1") {
    const underutilized = (consolidationPolicy ?? "WhenUnderutilized") === "WhenUnderutilized";
    if (underutilized && consolidateAfter !== undefined && consolidateAfter !== "0s") {
      const message = `: consolidateAfter: ${String(consolidateAfter)} becomes 0s${consolidateAfter === "Never" ? ": consolidation was off and is now on" : ""}`;
      findings.push(
        noteOn(resource, "migrate-behaves-differently", after, message, "migrate without --compat keeps it"),
      );
    }
    if (resource.kind === "NodePool" && template["resources"] !== undefined)
      findings.push(lossy([...at, "resources"], ": resources is dropped: v1 does not have it"));
    if (resource.kind === "NodePool") findings.push(roundTrip(resource, template["kubelet"] !== undefined));
    if (resource.kind === "EC2NodeClass" && spec["amiFamily"] === "Ubuntu") findings.push(ubuntu(resource, spec));
    return findings;
  }
  if (spec["kubelet"] !== undefined && resource.kind === "EC2NodeClass") {
    const hint = "migrate without --compat moves it to the pools";
    findings.push(lossy(["spec", "kubelet"], ": kubelet is dropped", hint));
  }
  const underutilized = (consolidationPolicy ?? "WhenEmptyOrUnderutilized") === "WhenEmptyOrUnderutilized";
  if (underutilized && consolidateAfter !== undefined && consolidateAfter !== "0s")
    findings.push(
      lossy(after, `: consolidateAfter: ${String(consolidateAfter)} is dropped, and becomes 0s when converted back`),
    );
  if (template["terminationGracePeriod"] !== undefined)
    findings.push(lossy([...at, "terminationGracePeriod"], ": terminationGracePeriod is dropped"));
  listOf(disruption["budgets"]).forEach((budget, index) => {
    if (fieldsOf(budget)["reasons"] === undefined) return;
    const path = ["spec", "disruption", "budgets", index, "reasons"];
    findings.push(lossy(path, ": the budget applies to every reason in v1beta1"));
  });
  return findings;
}

function roundTrip(resource: Resource, kubelet: boolean): Finding {
  const what = kubelet ? "the kubelet settings are in an annotation" : "annotations keep fields that v1 does not have";
  const path = kubelet ? ["spec", "template", "spec", "kubelet"] : ["spec", "template", "spec", "nodeClassRef"];
  const hint = "anp migrate without --compat converts completely";
  return noteOn(
    resource,
    "migrate-annotations-left",
    path,
    `: ${what}, which must be removed before Karpenter 1.1`,
    hint,
  );
}

function ubuntu(resource: Resource, { amiSelectorTerms }: Fields): Finding {
  const path = ["spec", "amiFamily"];
  if (listOf(amiSelectorTerms).length > 0)
    return noteOn(resource, "migrate-behaves-differently", path, ": amiFamily Ubuntu becomes AL2 with an annotation");
  const message = ": amiFamily Ubuntu has no images in v1, so the class is not ready and no node is launched";
  return noteOn(resource, "migrate-behaves-differently", path, message, "select the images in amiSelectorTerms");
}
