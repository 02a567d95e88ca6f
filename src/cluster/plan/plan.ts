/** Plans a pass: one step for each object. It is pure, and decides alone. */
import { describeResource } from "../../krm/places/resource.ts";
import { canonical } from "../../krm/values/canonical.ts";
import { wrapperIdOf } from "../../model/objects/applied-kinds.ts";
import { idOf, type KubeObject } from "../../model/objects/kube-object.ts";
import type { LiveObject } from "../api/live-object.ts";
import { type Ownership, ownershipOf } from "../inventory/ownership.ts";
import { specHash } from "../objects/field-owners.ts";
import {
  APPLIED_ANNOTATION,
  asMember,
  isMadeByOperator,
  isManagedByOperator,
  otherSetOf,
} from "../objects/membership.ts";
import { compareLive, type FieldDifference } from "./compare-live.ts";
import { type PlanOptions, planPrune, planUnclaimed } from "./plan-prune.ts";
import { isAdopted, nothing, type PlanInput, type Step } from "./step.ts";

/** Objects in the order of applying, then orphans in the order of pruning. */
export function plan(input: PlanInput, options: PlanOptions): Step[] {
  const live = new Map(input.live.map((object) => [idOf(object), object]));
  const steps = input.desired.map((object) => {
    const desired = asMember(object, input.setId);
    return planObject(desired, live.get(idOf(object)), input, options.adopt);
  });
  const known = new Set(steps.map(({ kind, name }) => `${kind}/${name}`));
  for (const [id, reason] of input.held) {
    const [kind = "", name = ""] = id.split("/");
    if (known.has(id)) continue;
    const there = live.get(id);
    // A restored object gets its entry when it is applied again.
    const entered = there === undefined ? {} : enteredAs(there, ownershipOf(there, input), input, options.adopt);
    steps.push({ ...nothing(kind, name), action: "hold", live: there, ...entered, reason });
    known.add(id);
  }
  return [...steps, ...planPrune(input, known, options), ...planUnclaimed(input, known, options)];
}

function planObject(
  desired: KubeObject,
  live: LiveObject | undefined,
  input: PlanInput,
  adopt: ReadonlySet<string>,
): Step {
  const { kind, metadata } = desired;
  const { name } = metadata;
  const step = { ...nothing(kind, name), desired, live };
  if (live === undefined) return { ...step, action: "create" };
  const differences = compareLive(desired, live);
  const claim = ownershipOfDesired(live, differences, input);
  if (isOperators(live, claim, input)) {
    const ofSpec = differences.filter((one) => one.field.startsWith("spec") && isOfValue(one));
    const reason = `${describeResource({ kind, name })} belongs to HyperShift's operator, which writes it`;
    return { ...step, action: "managed-by-operator", differences: ofSpec, reason };
  }
  // It guards node classes as well as anp's policy.
  if (claim !== "known" && isOperatorsGuard(live))
    return { ...step, action: "managed-by-operator", reason: `${name} is installed by HyperShift's operator` };
  if (claim === "foreign" && !isAdopted(live, adopt)) {
    const reason = `${kind === "EC2NodeClass" ? "an" : "a"} ${kind} ${name} exists that this watch did not create`;
    const advice = `--adopt ${kind}/${name} takes it over`;
    return { ...step, action: "foreign-object", differences, reason, advice };
  }
  const left = input.inventory?.get(idOf(live))?.left;
  // Without an inventory, managedFields are the only evidence.
  const isAsLeft = claim === "marked" || (claim === "known" && left !== undefined && left === specHash(live));
  const entered = enteredAs(live, claim, input, adopt);
  const ours = { ...step, ...entered, takesIn: claim !== "known" || entered.takesIn };
  if (differences.length === 0 && isAsLeft) return { ...ours, action: "in-sync" };
  // If the desired hash is the one that anp applied last, every difference is a change of another writer.
  const unchanged =
    live.metadata.annotations?.[APPLIED_ANNOTATION] === desired.metadata.annotations?.[APPLIED_ANNOTATION];
  // Another anp has the same field manager, and sets a hash of its own.
  const isOfAnother = claim === "known" && otherSetOf(live, input.setId) !== undefined;
  const drift = isOfAnother
    ? differences.filter(({ how }) => how !== "ownership").map((one) => ({ ...one, owner: one.owner ?? ANOTHER_ANP }))
    : differences.filter((one) => one.owner !== undefined || (unchanged && isOfValue(one)));
  const whole = !isAsLeft || differences.some(({ how }) => how === "extra" || how === "items");
  return {
    ...ours,
    action: "update",
    whole,
    differences: differences.length === 0 ? [OF_BOOKKEEPING] : differences,
    drift,
  };
}

/** Adopting an object confirms its marks. */
function enteredAs(
  live: LiveObject,
  claim: Ownership,
  { inventory, isRepairing }: PlanInput,
  adopt: ReadonlySet<string>,
): Pick<Step, "takesIn" | "unconfirmed"> {
  const byMarks = inventory?.get(idOf(live))?.repaired === true;
  const isConfirmed = isAdopted(live, adopt);
  return {
    takesIn: claim === "marked" || (byMarks && claim === "known" && isConfirmed),
    unconfirmed: !isConfirmed && (byMarks || (isRepairing === true && claim === "marked")),
  };
}

function ownershipOfDesired(live: LiveObject, differences: readonly FieldDifference[], input: PlanInput): Ownership {
  const claim = ownershipOf(live, input);
  const isGuard = wrapperIdOf(live.kind, live.metadata.name) === undefined;
  return isGuard && claim === "foreign" ? ownershipOfGuard(live, differences, input.setId) : claim;
}

/** By its owner reference, which does not count for objects of the inventory. */
function isOperators(live: LiveObject, claim: Ownership, { wrapperUids }: PlanInput): boolean {
  if (claim === "foreign") return isManagedByOperator(live);
  const wrapper = wrapperIdOf(live.kind, live.metadata.name);
  return claim === "restored" && wrapper !== undefined && isMadeByOperator(live, wrapperUids?.get(wrapper));
}

const ANOTHER_ANP = "another anp";

const OF_BOOKKEEPING: FieldDifference = { field: "metadata.managedFields", owner: undefined, how: "ownership" };

function isOfValue({ how }: FieldDifference): boolean {
  return how === "value" || how === "items";
}

/**
 * The operator's policy (docs/upstream/hypershift.md#admission-policy). A weaker policy with the same name must not be
 * taken for it.
 */
const GUARD = {
  failurePolicy: "Fail",
  matchConditions: [
    { name: "exclude-hcco-user", expression: "'system:hosted-cluster-config' != request.userInfo.username" },
  ],
  matchConstraints: {
    matchPolicy: "Equivalent",
    namespaceSelector: {},
    objectSelector: {},
    resourceRules: [
      {
        apiGroups: ["karpenter.k8s.aws"],
        apiVersions: ["v1"],
        operations: ["*"],
        resources: ["ec2nodeclasses"],
        scope: "*",
      },
    ],
  },
};

const EXPRESSION = "has(oldObject.spec) && has(object.spec) && object.spec == oldObject.spec";
const NAME = "karpenter.ec2nodeclass.hypershift.io";
const BINDING = { policyName: NAME, validationActions: ["Deny"] };

/**
 * For a desired guard that the inventory does not list. Its name is reserved, so anp takes it over. Guards of HyperShift's
 * operator and of another watch stay if they guard as well.
 *
 * @param differences from the desired guard
 */
function ownershipOfGuard(live: LiveObject, differences: readonly FieldDifference[], setId: string): Ownership {
  const guardsAsWell = !differences.some(({ field, how }) => field.startsWith("spec") && how !== "ownership");
  return otherSetOf(live, setId) !== undefined && guardsAsWell ? "foreign" : "restored";
}

/** Compares the whole spec. */
function isOperatorsGuard({ kind, metadata, spec = {} }: LiveObject): boolean {
  if (kind === "ValidatingAdmissionPolicyBinding")
    return metadata.name === "karpenter-binding.ec2nodeclass.hypershift.io" && canonical(spec) === canonical(BINDING);
  if (kind !== "ValidatingAdmissionPolicy" || metadata.name !== NAME) return false;
  const { validations, ...rest } = spec;
  const expressions = Array.isArray(validations)
    ? (validations as readonly { expression?: unknown }[]).map(({ expression }) => expression)
    : [];
  return canonical(expressions) === canonical([EXPRESSION]) && canonical(rest) === canonical(GUARD);
}
