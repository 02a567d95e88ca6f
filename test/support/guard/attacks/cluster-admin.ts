/** Attacks of a cluster admin, who may do everything in the cluster that files do not prevent. */
import { setTimeout as sleep } from "node:timers/promises";
import { TERMINATION_TIMESTAMP } from "../../../../src/model/requirements/reserved-keys.ts";
import type { Answer } from "../../controlplane/https-client.ts";
import { karpenterCrds } from "../../controlplane/karpenter-crds.ts";
import type { KubernetesObject } from "../../controlplane/kubernetes-object.ts";
import { create, remove, until } from "../../controlplane/objects.ts";
import type { UserName } from "../../controlplane/users.ts";
import { classOf, END, outcomeOf, poolOf } from "../guarded-cluster.ts";
import { type Attack, type Outcome, outcomeOfAll } from "./attack.ts";
import { type ForeignWebhook, mutationOf, startWebhook } from "./foreign-mutations.ts";
import { claimsByHand, EVIL_STATUSES, OWN } from "./on-pools.ts";
import { claimOf, type Guarded, isInForce, KEYS, patch, POLICY, WHO } from "./guarded-clusters.ts";
import { KARPENTER_PROFILE } from "../../go/programs.ts";

const ADMIN = WHO["cluster admin"];
const API = "/apis/admissionregistration.k8s.io/v1";
const RESOURCES = [
  "mutatingadmissionpolicies",
  "mutatingadmissionpolicybindings",
  "validatingadmissionpolicies",
  "validatingadmissionpolicybindings",
];
const LIST = "/spec/template/spec/requirements";
const DEFINITIONS = /belong to whoever runs the control plane/;

const nameOf = (guarded: string, { form }: Guarded): string =>
  `${guarded}.guard.anp.hypershift.openshift.io${form === "static" ? ".static.k8s.io" : ""}`;

/** The outcome of a change to the guard: the API server applies it a moment later. */
async function outcomeOfChange(on: Guarded, answers: readonly Answer[]): Promise<Outcome> {
  for (let tries = 0; tries < 40; tries += 1) {
    if (!(await isInForce(on))) {
      await on.enforceAgain();
      return "succeeds";
    }
    await sleep(50);
  }
  return answers.every(({ status }) => status >= 400) ? "refused" : "no effect";
}

/** The outcome for pools, classes and claims under a webhook, from the API server's first call of it. */
async function underWebhook(on: Guarded, webhook: ForeignWebhook, act: () => Promise<Answer[]>): Promise<Answer[]> {
  const begins = async (): Promise<boolean> => {
    await act();
    return webhook.wasAsked();
  };
  const answers = await under(on, [webhook.object], act, () => until("the webhook is asked", begins));
  await webhook.stop();
  return answers;
}

/** The outcome for pools, classes and claims while these objects are in force. */
async function under(
  on: Guarded,
  objects: readonly KubernetesObject[],
  act: () => Promise<Answer[]>,
  begun?: () => Promise<void>,
): Promise<Answer[]> {
  for (const object of objects) {
    const { status, text } = await create(on, ADMIN, object);
    if (status !== 201) throw new Error(text);
  }
  try {
    await begun?.();
    // Each takes effect at its own time; no outcome may let anything through.
    const all: Answer[] = [];
    for (let tries = 0; tries < 20; tries += 1) {
      all.push(...(await act()));
      await sleep(100);
    }
    return all;
  } finally {
    for (const object of objects) await remove(on, ADMIN, object);
    await until("it is gone", () => isInForce(on));
  }
}

const HELD =
  /^422 .*(must begin with|what stands above|marks where|is for Karpenter on AWS|would admit|must be the AutoNode)/s;

const making = async (on: Guarded, object: KubernetesObject, user: UserName = ADMIN): Promise<Answer[]> => [
  await create(on, user, object, { dryRun: true }),
];

/** CEL, with an empty list as default. */
const set = (list: string): string => `[JSONPatch{op: "add", path: "${LIST}", value: ${list}}]`;
const MUTATIONS = {
  empties: set("[]"),
  addsFirst: set(
    `[{"key": dyn("example.com/first"), "operator": dyn("Exists")}] + (has(object.spec.template.spec.requirements) ? object.spec.template.spec.requirements : [])`,
  ),
  forges: set(`[{"key": "${END.key}", "operator": "DoesNotExist"}]`),
  cuts: `has(object.spec.template.spec.requirements) && object.spec.template.spec.requirements.size() > 1 ? [JSONPatch{op: "remove", path: "${LIST}/0"}] : []`,
  labels: `[JSONPatch{op: "add", path: "/spec/template/metadata", value: {"labels": {"${KEYS.tier}": "bronze"}}}]`,
  renames: `[JSONPatch{op: "add", path: "/spec/template/spec/nodeClassRef", value: {"group": "karpenter.kwok.sh", "kind": "KWOKNodeClass", "name": "default"}}]`,
};

export const OF_CLUSTER_ADMINS: readonly Attack[] = [
  {
    who: "cluster admin",
    tries: "delete policies or bindings, one or all",
    api: "succeeds",
    files: "no effect",
    by: "files: the API does not contain them",
    act: async (on) => {
      const answers: Answer[] = [];
      for (const resource of RESOURCES)
        for (const name of [`/${nameOf("nodepool", on)}`, `/${nameOf("nodeclaim", on)}`, ""])
          answers.push(await on.request(ADMIN, "DELETE", `${API}/${resource}${name}`));
      return outcomeOfChange(on, answers);
    },
  },
  {
    who: "cluster admin",
    tries: "weaken them: audit instead of deny, conditions, selectors, failure policy Ignore",
    api: "succeeds",
    files: "refused",
    by: "files; in the API, `anp check --live` reports it",
    act: async (on) => {
      const write = (resource: string, spec: object): Promise<Answer> =>
        on.request(ADMIN, "PATCH", `${API}/${resource}/${nameOf("nodepool", on)}`, { spec });
      const never = [{ name: "never", expression: "false" }];
      return outcomeOfChange(on, [
        await write("validatingadmissionpolicybindings", { validationActions: ["Audit"] }),
        await write("mutatingadmissionpolicybindings", {
          matchResources: { objectSelector: { matchLabels: { a: "b" } } },
        }),
        await write("mutatingadmissionpolicies", { matchConditions: never, failurePolicy: "Ignore" }),
      ]);
    },
  },
  {
    who: "cluster admin",
    tries: "create a second binding that only audits, or that matches no object",
    api: "no effect",
    files: "refused",
    by: "the first one still applies; in files the names are reserved",
    act: async (on) => {
      const policyName = nameOf("nodepool", on);
      const head = (kind: string, spec: object): KubernetesObject => ({
        apiVersion: "admissionregistration.k8s.io/v1",
        kind,
        metadata: { name: `second${on.form === "static" ? ".static.k8s.io" : ""}` },
        spec: { policyName, ...spec },
      });
      const none = { matchResources: { objectSelector: { matchLabels: { a: "b" } } } };
      const objects = [
        head("ValidatingAdmissionPolicyBinding", { validationActions: ["Audit"] }),
        head("MutatingAdmissionPolicyBinding", none),
      ];
      const answers = [];
      for (const object of objects) answers.push(await create(on, ADMIN, object));
      const outcome = await outcomeOfChange(on, answers);
      for (const object of objects) await remove(on, ADMIN, object);
      return outcome;
    },
  },
  ...(["aaa", "zzz"] as const).map((name): Attack => ({
    who: "cluster admin",
    tries: `change pools with another mutation, which runs ${name === "aaa" ? "before" : "after"} the guard's`,
    api: "no effect",
    by:
      name === "aaa"
        ? "the guard's mutation runs after it"
        : "the validation, or the guard's mutation, which is reinvoked",
    act: async (on) => {
      const answers: Answer[] = [];
      for (const expression of Object.values(MUTATIONS))
        answers.push(
          ...(await under(on, mutationOf("nodepools", `${name}.example.com`, expression), () =>
            making(on, poolOf("changed", OWN)),
          )),
        );
      return outcomeOfAll(answers, HELD);
    },
  })),
  {
    who: "cluster admin",
    tries: "change pools and classes with a webhook",
    api: "refused",
    by: "the validation runs after all mutations",
    act: async (on) => {
      const answers: Answer[] = [];
      const root = [{ deviceName: "/dev/xvda", ebs: { volumeSize: "1Gi" } }];
      for (const [resource, path, value, object] of [
        ["nodepools", LIST, [], poolOf("changed", OWN)],
        ["nodepools", LIST, [...POLICY.slice(1), END], poolOf("changed", OWN)],
        ["ec2nodeclasses", "/spec/blockDeviceMappings", root, classOf("changed")],
      ] as const) {
        const webhook = await startWebhook(resource, "webhook.example.com", [{ op: "add", path, value }]);
        answers.push(...(await underWebhook(on, webhook, () => making(on, object))));
      }
      return outcomeOfAll(answers, HELD);
    },
  },
  {
    who: "cluster admin",
    tries: "create a NodeClaim, with a pool as label and owner",
    api: "refused",
    by: "Karpenter's user",
    act: async (on) => {
      const answers: Answer[] = [];
      for (const claim of claimsByHand("changed")) answers.push(...(await making(on, claim)));
      return outcomeOfAll(answers, /^422 NodeClaims are Karpenter's alone to make/);
    },
  },
  {
    who: "cluster admin",
    tries: "change the NodeClaims that Karpenter creates, with a mutation, a webhook or an edit",
    api: "refused",
    by: "NodeClaims must be within the policy too",
    act: async (on) => {
      const wider = [{ key: KEYS.arch, operator: "In", values: ["arm64"] }];
      const path = "/spec/requirements";
      const asKarpenter = () => making(on, claimOf("changed"), WHO.Karpenter);
      const first = await asKarpenter();
      if (first[0]?.status !== 201) throw new Error(`Karpenter's own: ${outcomeOf(first[0]!)}`);
      const cel = `[JSONPatch{op: "replace", path: "${path}/0/values", value: ["arm64"]}]`;
      const webhook = await startWebhook("nodeclaims", "webhook.example.com", [{ op: "add", path, value: wider }]);
      const answers = [
        ...(await under(on, mutationOf("nodeclaims", "zzz.example.com", cel), asKarpenter)),
        ...(await underWebhook(on, webhook, asKarpenter)),
      ];
      const stored = await create(on, WHO.Karpenter, claimOf("stored"));
      if (stored.status !== 201) throw new Error(stored.text);
      answers.push(await patch(on, ADMIN, claimOf("stored"), { spec: { requirements: wider } }));
      await remove(on, WHO.Karpenter, claimOf("stored"));
      const passed = answers.filter(({ status }) => status < 300);
      // Until it is in force, Karpenter's own requests pass.
      const own = passed.filter(({ body }) => JSON.stringify(body).includes("arm64"));
      return own.length > 0
        ? "succeeds"
        : outcomeOfAll(
            answers.filter(({ status }) => status >= 300),
            CLAIMS,
          );
    },
  },
  {
    who: "cluster admin",
    tries: "delay the end of a NodeClaim's drain, or change another label or annotation of Karpenter there",
    api: "refused",
    by: "only Karpenter may write these on NodeClaims",
    act: async (on) => {
      const claim = claimOf("kept");
      const stored = await create(on, WHO.Karpenter, claim);
      if (stored.status !== 201) throw new Error(stored.text);
      const annotations = { [TERMINATION_TIMESTAMP]: "9999-01-01T00:00:00Z" };
      const late = `object.metadata.name.startsWith("late") ? [JSONPatch{op: "add", path: "/metadata/annotations", value: {"${TERMINATION_TIMESTAMP}": "never"}}] : []`;
      const answers = [
        await patch(on, ADMIN, claim, { metadata: { annotations } }),
        await patch(on, ADMIN, claim, { metadata: { annotations: { "karpenter.sh/nodepool-hash": "1" } } }),
        await patch(on, ADMIN, claim, { metadata: { labels: { "karpenter.sh/nodepool": "other" } } }),
        ...(await under(on, mutationOf("nodeclaims", "zzz.example.com", late), () =>
          making(on, claimOf("late"), WHO.Karpenter),
        )),
      ].filter(({ status, body }) => status >= 300 || JSON.stringify(body).includes(TERMINATION_TIMESTAMP));
      await remove(on, WHO.Karpenter, claim);
      return outcomeOfAll(answers, /^422 .*(are Karpenter's to write|begins without)/s);
    },
  },
  {
    who: "cluster admin",
    tries: "write status fields that Karpenter launches from: AMIs, subnets, security groups, an instance",
    api: "refused",
    by: "Karpenter's user",
    act: async (on) => {
      const answers: Answer[] = [];
      for (const [object, status] of EVIL_STATUSES) {
        const stored = await create(on, WHO.Karpenter, object);
        if (stored.status !== 201) throw new Error(stored.text);
        answers.push(await patch(on, ADMIN, object, { status }, { sub: "/status" }));
        const own = await patch(on, WHO.Karpenter, object, { status }, { sub: "/status" });
        if (own.status !== 200) throw new Error(`Karpenter's own: ${outcomeOf(own)}`);
        await remove(on, WHO.Karpenter, object);
      }
      return outcomeOfAll(answers, /^422 The status of .* is Karpenter's alone to write/);
    },
  },
  {
    who: "cluster admin",
    tries: "delete or change a CRD of Karpenter",
    api: "succeeds",
    files: "refused",
    by: "files: `--installer`",
    act: async (on) => {
      const [crd] = await karpenterCrds(KARPENTER_PROFILE);
      const clientConfig = { url: "https://127.0.0.1:1/convert" };
      const conversion = { strategy: "Webhook", webhook: { clientConfig, conversionReviewVersions: ["v1"] } };
      const answers = [
        await patch(on, ADMIN, crd!, { spec: { conversion } }, { query: "&dryRun=All" }),
        await on.request(ADMIN, "DELETE", `${CRDS}/${crd!.metadata!.name}?dryRun=All`),
      ];
      return outcomeOfAll(answers, DEFINITIONS_REFUSED);
    },
  },
  {
    who: "cluster admin",
    tries: "send requests for Karpenter's group to another API server",
    api: "succeeds",
    files: "refused",
    by: "files: `--installer`",
    act: async (on) => {
      const service = { service: { name: "mine", namespace: "default", port: 443 }, insecureSkipTLSVerify: true };
      const path = "/apis/apiregistration.k8s.io/v1/apiservices/v1.karpenter.sh?dryRun=All";
      return outcomeOfAll([await on.request(ADMIN, "PATCH", path, { spec: service })], DEFINITIONS_REFUSED);
    },
  },
  {
    who: "cluster admin",
    tries: "create NodeClaims as Karpenter: impersonate its user, or get a token of its service account",
    api: "succeeds",
    by: "only RBAC: do not grant both permissions",
    act: async (on) => {
      const path = "/apis/karpenter.sh/v1/nodeclaims?dryRun=All";
      const headers = { "impersonate-user": WHO.Karpenter, "impersonate-group": "system:masters" };
      const account = {
        apiVersion: "v1",
        kind: "ServiceAccount",
        metadata: { name: "karpenter", namespace: "default" },
      };
      await create(on, WHO.Karpenter, account);
      const tokens = "/api/v1/namespaces/default/serviceaccounts/karpenter/token";
      const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
      return outcomeOfAll([
        await on.request(ADMIN, "POST", path, claimOf("mine"), headers),
        await on.request(ADMIN, "POST", tokens, request),
      ]);
    },
  },
  {
    who: "cluster admin",
    tries: "change Karpenter itself, if it runs in the cluster: its image, flags, feature gates or credentials",
    api: "succeeds",
    by: "only RBAC: run it where cluster admins have no permissions",
    act: async (on) => {
      const container = { name: "controller", image: "example.com/mine", env: [{ name: "FEATURE_GATES", value: "" }] };
      const labels = { app: "karpenter" };
      const template = { metadata: { labels }, spec: { containers: [container] } };
      const metadata = { name: "karpenter", namespace: "default" };
      const spec = { selector: { matchLabels: labels }, template };
      return outcomeOfAll(await making(on, { apiVersion: "apps/v1", kind: "Deployment", metadata, spec }));
    },
  },
  {
    who: "cluster admin",
    tries: "change labels, taints and annotations of Nodes, or block eviction with a PodDisruptionBudget",
    api: "succeeds",
    by: "`maxExpireAfter` and `maxTerminationGracePeriod` still end the node; labels of a Node are not protected",
    act: async (on) => {
      const node: KubernetesObject = { apiVersion: "v1", kind: "Node", metadata: { name: "mine" } };
      const stored = await create(on, WHO.Karpenter, node);
      if (stored.status !== 201) throw new Error(stored.text);
      const metadata = {
        annotations: { "karpenter.sh/do-not-disrupt": "true" },
        labels: { "node.kubernetes.io/instance-type": "p5.48xlarge" },
      };
      const answers = [
        await patch(on, ADMIN, node, { metadata, spec: { taints: [{ key: "mine", effect: "NoExecute" }] } }),
        ...(await making(on, {
          apiVersion: "policy/v1",
          kind: "PodDisruptionBudget",
          metadata: { name: "all", namespace: "default" },
          spec: { selector: {}, maxUnavailable: 0 },
        })),
      ];
      await remove(on, WHO.Karpenter, node);
      return outcomeOfAll(answers);
    },
  },
];

const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const CLAIMS = /^422 .*(has to keep to the AutoNodePolicy|spec is immutable)/s;
const DEFINITIONS_REFUSED = new RegExp(`^422 .*${DEFINITIONS.source}`, "s");
