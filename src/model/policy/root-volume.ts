/** The root volume of a policy or a RenderConfig: size, type, encryption and speed. */
import * as z from "zod/mini";
import { withKeywords } from "../schema/keywords.ts";
import { volumeSize } from "../values/volume-size.ts";

const VOLUME_TYPES = ["gp2", "gp3", "io1", "io2", "sc1", "st1", "standard"];

/** Lists both cases of each letter: CRD patterns have no flag for that. */
const anyCase = (word: string): string =>
  [...word].map((letter) => (/[a-z]/.test(letter) ? `[${letter}${letter.toUpperCase()}]` : letter)).join("");

export const rootVolumeSchema = z.strictObject({
  volumeSize: z.optional(volumeSize()),
  volumeType: z.optional(
    z.string().check(
      z.regex(new RegExp(`^(${VOLUME_TYPES.map(anyCase).join("|")})$`), {
        error: `is not an EBS volume type: one of ${VOLUME_TYPES.join(", ")}`,
      }),
    ),
  ),
  encrypted: z.optional(z.boolean()),
  iops: z.optional(withKeywords(z.int().check(z.minimum(1)), { format: "int64" })),
  throughput: z.optional(withKeywords(z.int().check(z.minimum(1)), { format: "int64" })),
});

export type RootVolume = z.output<typeof rootVolumeSchema>;

/** The enhancement's volume without a policy; HyperShift's operator uses 120Gi (docs/design.md#root-volume). */
export const BUILT_IN_ROOT_VOLUME = { volumeSize: "75Gi", volumeType: "gp3", encrypted: true } as const;
