/** RenderConfig v1alpha1: settings of a hosted cluster's rendering. */
import * as z from "zod/mini";
import { codeEntry, FINDING_CODES, type FindingCode, type Severity } from "../krm/finding-codes.ts";
import { parseGoDuration } from "./go-duration.ts";
import { templateLabels } from "./labels.ts";
import { plainDuration } from "./durations.ts";
import { currencyCode } from "./money.ts";
import { memoize } from "./memoize.ts";
import { PROFILES } from "./profile.ts";
import { resourceTagsSchema } from "./resource-tags.ts";
import { rootVolumeSchema } from "./root-volume.ts";

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
  z.string().check(
    z.minLength(1),
    z.maxLength(1024),
    z.refine((text) => !text.startsWith("/"), { error: "starts at the folder of the RenderConfig: write ../shop" }),
    z.refine((text) => !text.split("/").includes("*"), {
      error: "names one folder with all below it: * is allowed in --policy-dir only",
    }),
  ),
);

const renderConfigSpec = memoize(() =>
  z.strictObject({
    profile: z.optional(z.enum(PROFILES)),
    hostedCluster: z.optional(
      z.strictObject({
        namespace: z.optional(z.string().check(z.minLength(1))),
        region: z.optional(z.string().check(z.minLength(1))),
        infraID: z.optional(z.string().check(z.minLength(1))),
        amis: z.optional(z.strictObject({ amd64: z.optional(ami()), arm64: z.optional(ami()) })),
        resourceTags: z.optional(resourceTagsSchema()),
        instanceProfile: z.optional(z.string().check(z.minLength(1))),
      }),
    ),
    rootVolume: z.optional(rootVolumeSchema),
    nodeLabels: z.optional(templateLabels),
    onBypass: z.optional(z.enum(["Fail", "Block"])),
    admission: z.optional(
      z.strictObject({
        mode: z.optional(z.enum(["SpecEqual", "DenyAll", "None"])),
        allowedWriters: z.optional(z.array(userName())),
        nodeClaims: z.optional(z.enum(["OwnedOnly", "None"])),
        // With an empty list, Karpenter itself could make no NodeClaim.
        karpenterUsers: z.optional(z.array(userName()).check(z.minLength(1))),
      }),
    ),
    ec2NodeClasses: z.optional(z.enum(["Render", "Skip"])),
    paths: z.optional(z.array(path()).check(z.minLength(1))),
    guardRails: z.optional(z.enum(["rosa"])),
    requirePolicy: z.optional(z.boolean()),
    priceCeiling: z.optional(
      z.strictObject({
        perHour: z.number().check(z.refine((amount) => amount > 0, { error: "must be above 0" })),
        currency: z.optional(currencyCode()),
      }),
    ),
    maxExpireAfter: z.optional(longest()),
    maxTerminationGracePeriod: z.optional(longest()),
    minDriftedBudget: z.optional(
      z.string().check(
        z.regex(/^((100|[1-9][0-9]?)%|[1-9][0-9]{0,8})$/, {
          error: 'must be a number of nodes or a percentage above 0, as text: write "1" or "10%"',
        }),
      ),
    ),
    rules: z.optional(rules()),
    baseline: z.optional(z.string().check(z.minLength(1))),
    catalogue: z.optional(z.string().check(z.minLength(1))),
  }),
);

export type RenderConfigSpec = z.output<ReturnType<typeof renderConfigSpec>>;

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
export const renderConfigSchema = memoize(() =>
  z.strictObject({
    apiVersion: z.string(),
    kind: z.string(),
    metadata: z.optional(
      z.looseObject({}).check(
        z.refine(({ namespace }) => namespace === undefined, {
          error: "is not read here",
          path: ["namespace"],
          params: { hint: "write spec.hostedCluster.namespace" },
        }),
      ),
    ),
    spec: z.optional(renderConfigSpec().check(z.refine(namesClusterOfPaths, PATHS_WITHOUT_CLUSTER))),
  }),
);
