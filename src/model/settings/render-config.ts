/** RenderConfig v1alpha1: settings of a hosted cluster's rendering. */
import * as z from "zod/mini";
import { codeEntry, FINDING_CODES, type FindingCode, type Severity } from "../../krm/findings/finding-codes.ts";
import { MAX_EXTENDS } from "../inputs/extended-policies.ts";
import { rootVolumeSchema } from "../policy/root-volume.ts";
import { templateLabels } from "../requirements/labels.ts";
import { withKeywords } from "../schema/keywords.ts";
import { memoize } from "../schema/memoize.ts";
import { plainDuration } from "../values/durations.ts";
import { parseGoDuration } from "../values/go-duration.ts";
import { currencyCode } from "../values/money.ts";
import { karpenterSchema } from "./karpenter-options.ts";
import { described, field, fieldsOf } from "./settings.ts";

const text = memoize(() => z.string().check(z.minLength(1)));

const ami = memoize(() => z.string().check(z.regex(/^ami-[0-9a-z]+$/, { error: "is not an AMI id: write ami-…" })));

const userName = memoize(() => z.string().check(z.minLength(1), z.maxLength(256)));

/** A bound of zero would end every node at once. */
const longest = memoize(() =>
  plainDuration.check(
    z.refine((text) => (parseGoDuration(text) ?? 0n) > 0n, {
      error: "must be above zero, and no more than Go can count",
      when: ({ issues }) => issues.length === 0,
    }),
  ),
);

const CODES = Object.keys(FINDING_CODES) as [FindingCode, ...FindingCode[]];

const LEVELS = ["error", "warning", "info", "off"] as const;

const rules = memoize(() =>
  z.partialRecord(z.enum(CODES), z.enum(LEVELS)).check(
    z.superRefine((levels, context) => {
      for (const [code, level] of Object.entries(levels) as [FindingCode, (typeof LEVELS)[number]][]) {
        const entry = codeEntry(code);
        if (level === "error" && entry.most !== undefined) {
          const message = `${code} is ${article(entry.most)} at most; money alone is never an error`;
          context.addIssue({ code: "custom", path: [code], message });
        }
        if (!entry.fixed || level === entry.severity) continue;
        context.addIssue({
          code: "custom",
          path: [code],
          message: `${code} is always ${article(entry.severity)}; no rule may change it`,
        });
      }
    }),
  ),
);

function article(severity: Severity): string {
  return severity === "warning" ? "a warning" : `an ${severity}`;
}

/** Relative to the folder of the RenderConfig, as `baseline` is. */
const path = memoize(() =>
  withKeywords(
    z.string().check(
      z.minLength(1),
      z.maxLength(1024),
      z.refine((folder) => !folder.startsWith("/"), {
        error: "starts at the folder of the RenderConfig: write ../shop",
      }),
      z.refine((folder) => !folder.split("/").includes("*"), {
        error: "names one folder with all below it: * is allowed in --policy-dir only",
      }),
    ),
    { pattern: "^[^/]" },
  ),
);

const spec = memoize(() => {
  const { profile, onBypass, requirePolicy, ...settings } = fieldsOf("renderConfig");
  return z.strictObject({
    profile,
    hostedCluster: field(
      z.strictObject({
        namespace: field(text(), "The hosted control plane's namespace that this is for."),
        region: field(text(), "The region for list prices."),
        version: field(text(), "The OpenShift version of the control plane, such as 4.22.1, for the rules of ROSA."),
        infraID: field(text(), "HostedControlPlane.spec.infraID."),
        amis: field(
          z.strictObject({ amd64: field(ami(), "For amd64."), arm64: field(ami(), "For arm64.") }),
          "The release's AMIs.",
        ),
        resourceTags: field(resourceTagsSchema(), "Tags that the platform puts on every resource."),
        instanceProfile: field(text(), "The instance profile of the nodes."),
      }),
      "Values of the hosted cluster's own objects, for renderings without those objects.",
    ),
    extends: field(
      z.string().check(z.minLength(1), z.maxLength(MAX_EXTENDS)),
      "The file of the policy, relative to the RenderConfig and below --policy-dir: an AutoNodePolicy without a namespace, which several hosted clusters share.",
    ),
    rootVolume: field(rootVolumeSchema, "The root volume if neither policy nor wrapper gives one."),
    nodeLabels: field(templateLabels, "Labels on all nodes."),
    onBypass,
    admission: field(
      z.strictObject({
        mode: field(z.enum(["SpecEqual", "DenyAll", "None"]), "SpecEqual when left out."),
        allowedWriters: field(z.array(userName()), "Users beside system:hosted-cluster-config who may write."),
        nodeClaims: field(
          z.enum(["OwnedOnly", "None"]),
          "OwnedOnly when left out: a NodeClaim without a NodePool is denied.",
        ),
        // With an empty list, Karpenter itself could make no NodeClaim.
        karpenterUsers: field(
          z.array(userName()).check(z.minLength(1)),
          "The users that Karpenter makes NodeClaims as. system:admin in profile hypershift, when left out.",
        ),
      }),
      "The admission policies that guard what is rendered.",
    ),
    ec2NodeClasses: field(z.enum(["Render", "Skip"]), "Skip: HyperShift's operator makes the node classes."),
    paths: field(
      z.array(path()).check(z.minLength(1)),
      "Folders of the hosted cluster's wrappers, relative to the RenderConfig. Requires hostedCluster.namespace.",
    ),
    guardRails: field(z.enum(["rosa"]), "The provider with guard rails for check to add."),
    requirePolicy,
    priceCeiling: field(
      z.strictObject({
        perHour: described(
          z.number().check(z.refine((amount) => amount > 0, { error: "must be above 0" })),
          "The price per hour, at list price.",
          { exclusiveMinimum: 0 },
        ),
        currency: field(currencyCode(), "USD when left out. Prices in another currency are not compared."),
      }),
      "The maximum price of a node of a pool.",
    ),
    maxHourlyCost: field(
      z.strictObject({
        amount: described(
          z.number().check(z.refine((amount) => amount > 0, { error: "must be above 0" })),
          "What all nodes of a pool may cost an hour, at list price.",
          { exclusiveMinimum: 0 },
        ),
        currency: field(currencyCode(), "USD when left out. Prices in another currency are not compared."),
      }),
      "The maximum cost of each pool at its limits.",
    ),
    maxExpireAfter: field(longest(), "Nodes expire at this age at the latest, such as 168h."),
    maxTerminationGracePeriod: field(
      longest(),
      "Terminating nodes are gone after this time at the latest, such as 1h.",
    ),
    minDriftedBudget: field(
      z.string().check(
        z.regex(/^((100|[1-9][0-9]?)%|[1-9][0-9]{0,8})$/, {
          error: 'must be a number of nodes or a percentage above 0, as text: write "1" or "10%"',
        }),
      ),
      "The minimum of drifted nodes that budgets let go at once: a number of nodes or a percentage, as text.",
    ),
    ...settings,
    rules: field(rules(), "Severities of findings, by code (docs/findings.md)."),
    karpenter: field(
      karpenterSchema(),
      "The options that Karpenter runs with. They decide what explain, check and simulate say about nodes, and nothing that is rendered.",
    ),
    baseline: field(text(), "The file of a baseline."),
    catalogue: field(text(), "The file of a catalogue of instance types, for the hosted cluster's region."),
  });
});

export type RenderConfigSpec = z.output<ReturnType<typeof spec>>;

/** A RenderConfig of several hosted clusters has no folders of its own. */
function namesClusterOfPaths({ paths, hostedCluster }: RenderConfigSpec): boolean {
  return paths === undefined || hostedCluster?.namespace !== undefined;
}

const PATHS_WITHOUT_CLUSTER = {
  error: "needs spec.hostedCluster.namespace, which says whose folders these are",
  path: ["paths"],
  params: { hint: "write spec.hostedCluster.namespace" },
};

/** As in docs/design.md#own-kinds. */
export const renderConfigSchema = memoize(() => {
  const metadata = z.looseObject({}).check(
    z.refine(({ namespace }) => namespace === undefined, {
      error: "is not read here",
      path: ["namespace"],
      params: { hint: "write spec.hostedCluster.namespace" },
    }),
  );
  const checkedSpec = withKeywords(spec().check(z.refine(namesClusterOfPaths, PATHS_WITHOUT_CLUSTER)), {
    dependentSchemas: {
      paths: { required: ["hostedCluster"], properties: { hostedCluster: { required: ["namespace"] } } },
    },
  });
  return withKeywords(
    z.strictObject({
      apiVersion: withKeywords(z.string(), { const: "anp.hypershift.openshift.io/v1alpha1" }),
      kind: withKeywords(z.string(), { const: "RenderConfig" }),
      metadata: z.optional(
        withKeywords(metadata, {
          properties: { namespace: { not: {}, description: "Write spec.hostedCluster.namespace." } },
        }),
      ),
      spec: z.optional(checkedSpec),
    }),
    { title: "RenderConfig", description: "How a hosted cluster is rendered (docs/render-config.md)." },
  );
});

const resourceTagsSchema = () =>
  z.array(
    z.strictObject({
      key: described(z.string().check(z.minLength(1), z.maxLength(128)), "The tag's key."),
      value: described(z.string().check(z.maxLength(256)), "The tag's value."),
      overridePolicy: field(z.enum(["Allow", "Deny"]), "Whether a node class may set another value."),
    }),
  );

export type ResourceTags = z.output<ReturnType<typeof resourceTagsSchema>>;
