/** `blockDeviceMappings` of an EC2NodeClass. */
import * as z from "zod/mini";
import { oneRootVolume } from "../node-classes/block-device.ts";
import { withKeywords } from "../schema/keywords.ts";
import { withRules } from "../schema/rule.ts";

/** Numbers by unit, as upstream bounds them: its pattern refuses 18Ti and 19Ti, and accepts a lone `Ti` or `T`. */
const SIZES: Readonly<Record<string, string>> = {
  Gi: "[1-9][0-9]{0,3}|[1-4][0-9]{4}|5[0-8][0-9]{3}|59000",
  G: "[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-3][0-9]{3}|64000",
  Ti: "[1-9]?|[1-5][0-7]|58",
  T: "[1-9]?|[1-5][0-9]|6[0-4]",
};

const SIZE = new RegExp(
  `^(${Object.entries(SIZES)
    .map(([unit, numbers]) => `(${numbers})${unit}`)
    .join("|")})$`,
);

const ebs = withRules(
  z.strictObject({
    deleteOnTermination: z.optional(z.boolean()),
    encrypted: z.optional(z.boolean()),
    iops: z.optional(withKeywords(z.int(), { format: "int64" })),
    kmsKeyID: z.optional(z.string()),
    snapshotID: z.optional(z.string()),
    throughput: z.optional(withKeywords(z.int(), { format: "int64" })),
    volumeInitializationRate: z.optional(
      withKeywords(z.int().check(z.minimum(100), z.maximum(300)), { format: "int32" }),
    ),
    volumeSize: z.optional(
      z
        .string()
        .check(
          z.regex(SIZE, { error: "is not a size that Karpenter accepts: 1Gi to 59000Gi, or G, Ti and T within that" }),
        ),
    ),
    volumeType: z.optional(z.enum(["standard", "io1", "io2", "gp2", "sc1", "st1", "gp3"])),
  }),
  [
    {
      cel: "has(self.snapshotID) || has(self.volumeSize)",
      message: "the volume has no size",
      hint: "add volumeSize, or the snapshotID it is made from",
      test: ({ snapshotID, volumeSize }) => snapshotID !== undefined || volumeSize !== undefined,
    },
    {
      cel: "!has(self.volumeInitializationRate) || (has(self.snapshotID) && self.snapshotID != '')",
      message: "only a volume made from a snapshot has a volumeInitializationRate",
      hint: "add snapshotID, or remove the rate",
      test: ({ volumeInitializationRate: rate, snapshotID }) => rate === undefined || (snapshotID ?? "") !== "",
      at: ["volumeInitializationRate"],
    },
  ],
);

const mapping = z.strictObject({
  deviceName: z.optional(z.string()),
  rootVolume: z.optional(z.boolean()),
  ebs: z.optional(ebs),
});

export const ec2BlockDeviceMappings = withRules(z.array(mapping).check(z.maxLength(50)), [oneRootVolume(true)]);
