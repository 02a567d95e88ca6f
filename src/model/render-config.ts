/** RenderConfig v1alpha1: what a hosted cluster's rendering needs beside policy and wrappers (DESIGN.md 3.6). */
import * as z from "zod";
import { FINDING_CODES, type FindingCode, type Severity } from "../krm/finding-codes.ts";
import { templateLabels } from "./labels.ts";
import { once } from "./once.ts";
import { PROFILES } from "./profile.ts";
import { resourceTagsSchema } from "./resource-tags.ts";
import { rootVolumeSchema } from "./root-volume.ts";

const ami = once(() => z.string().regex(/^ami-[0-9a-z]+$/, { error: "is no AMI id: write ami-…" }));

const CODES = Object.keys(FINDING_CODES) as [FindingCode, ...FindingCode[]];

const LEVELS = ["error", "warning", "info", "off"] as const;

const rules = once(() =>
  z.partialRecord(z.enum(CODES), z.enum(LEVELS)).superRefine((levels, context) => {
    for (const [code, level] of Object.entries(levels) as [FindingCode, (typeof LEVELS)[number]][]) {
      const entry: { severity: Severity; fixed?: true } = FINDING_CODES[code];
      if (!entry.fixed || level === entry.severity) continue;
      context.addIssue({
        code: "custom",
        path: [code],
        message: `${code} is always ${article(entry.severity)}; no rule may change it`,
      });
    }
  }),
);

function article(severity: Severity): string {
  return severity === "warning" ? "a warning" : `an ${severity}`;
}

const renderConfigSpec = once(() =>
  z.strictObject({
    profile: z.enum(PROFILES).optional(),
    hostedCluster: z
      .strictObject({
        namespace: z.string().min(1).optional(),
        infraID: z.string().min(1).optional(),
        amis: z.strictObject({ amd64: ami().optional(), arm64: ami().optional() }).optional(),
        resourceTags: resourceTagsSchema().optional(),
        instanceProfile: z.string().min(1).optional(),
      })
      .optional(),
    rootVolume: rootVolumeSchema.optional(),
    nodeLabels: templateLabels.optional(),
    onBypass: z.enum(["Fail", "Block"]).optional(),
    admission: z
      .strictObject({
        mode: z.enum(["SpecEqual", "DenyAll", "None"]).optional(),
        allowedWriters: z.array(z.string().min(1).max(256)).optional(),
        nodeClaims: z.enum(["OwnedOnly", "None"]).optional(),
      })
      .optional(),
    ec2NodeClasses: z.enum(["Render", "Skip"]).optional(),
    requirePolicy: z.boolean().optional(),
    rules: rules().optional(),
    baseline: z.string().min(1).optional(),
  }),
);

export type RenderConfigSpec = z.output<ReturnType<typeof renderConfigSpec>>;

export const renderConfigSchema = once(() =>
  z.strictObject({
    apiVersion: z.string(),
    kind: z.string(),
    metadata: z
      .looseObject({})
      .refine(({ namespace }) => namespace === undefined, {
        error: "nothing reads it here",
        path: ["namespace"],
        params: { hint: "write spec.hostedCluster.namespace" },
      })
      .optional(),
    spec: renderConfigSpec().optional(),
  }),
);
