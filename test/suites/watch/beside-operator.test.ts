/** The watch and HyperShift's operator do not change each other's objects. Runs on real API servers. */
import { expect, test } from "vitest";
import { valueAt } from "../../../src/krm/places/field-path.ts";
import { create } from "../../support/controlplane/objects.ts";
import { nodeClass } from "../../support/watch/inputs.ts";
import { describeOnClusters } from "../../support/watch/on-clusters.ts";
import { ec2NodeClass, live, OPERATOR, pass, put, readyOf, said, watched } from "../../support/watch/rig.ts";
import { stepsOf } from "../../support/cluster/steps-of.ts";

describeOnClusters("beside HyperShift's operator", (rig) => {
  test("a node class that HyperShift's operator owns is not changed, and differences are reported", async () => {
    const wrapper = await live(rig.guest, nodeClass("default"));
    const owner = {
      apiVersion: wrapper.apiVersion,
      kind: wrapper.kind,
      name: "default",
      uid: wrapper.metadata?.uid,
      controller: true,
      blockOwnerDeletion: true,
    };
    const spec = { amiFamily: "Custom", amiSelectorTerms: [{ id: "ami-0f00" }] };
    const object = { ...ec2NodeClass("default"), metadata: { name: "default", ownerReferences: [owner] }, spec };
    expect((await create(rig.guest, OPERATOR, object)).status).toBe(201);
    const result = await pass(watched(rig));
    expect(said(result)).toEqual(["managed-by-operator EC2NodeClass/default", "create NodePool/web"]);
    const step = stepsOf(result).find(({ step: { kind } }) => kind === "EC2NodeClass")?.step;
    expect(step?.differences.map(({ field }) => field)).toContain("spec.amiSelectorTerms");
    expect((await live(rig.guest, ec2NodeClass("default"))).spec).toMatchObject(spec);
    expect(await readyOf(rig)).toMatchObject({ status: "False", reason: "ManagedByOperator" });
  });

  test("the guard of HyperShift's operator is accepted, and a weaker one with its name is corrected", async () => {
    const api = "admissionregistration.k8s.io/v1";
    const name = "karpenter.ec2nodeclass.hypershift.io";
    const rule = {
      apiGroups: ["karpenter.k8s.aws"],
      apiVersions: ["v1"],
      operations: ["*"],
      resources: ["ec2nodeclasses"],
    };
    const guard = (expression: string) => ({
      apiVersion: api,
      kind: "ValidatingAdmissionPolicy",
      metadata: { name },
      spec: {
        matchConstraints: { resourceRules: [rule] },
        matchConditions: [
          { name: "exclude-hcco-user", expression: "'system:hosted-cluster-config' != request.userInfo.username" },
        ],
        validations: [{ expression, message: "please use OpenshiftEC2NodeClass resource instead" }],
      },
    });
    await put(rig.guest, guard("has(oldObject.spec) && has(object.spec) && object.spec == oldObject.spec"));
    const metadata = { name: "karpenter-binding.ec2nodeclass.hypershift.io" };
    const spec = { policyName: name, validationActions: ["Deny"] };
    await put(rig.guest, { apiVersion: api, kind: "ValidatingAdmissionPolicyBinding", metadata, spec });
    expect(await pass(watched(rig))).toMatchObject({ result: "ok", ready: { status: "True" }, counts: { created: 8 } });
    await put(rig.guest, guard("true"));
    expect(await pass(watched(rig))).toMatchObject({ result: "ok", counts: { updated: 1 } });
    expect(valueAt(await live(rig.guest, guard("true")), ["spec", "validations", 0, "expression"])).toContain(
      "object.spec == oldObject.spec",
    );
  });
});
