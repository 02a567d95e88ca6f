/** The size of a volume as the policy and the older wrapper write it: 75Gi. */
import * as z from "zod/mini";

/** EC2NodeClass accepts nothing else (docs/upstream/karpenter.md#root-volume). */
const VOLUME_SIZE = /^[1-9][0-9]*(Gi|G|Ti|T)$/;

/** A new schema for each caller. */
export const volumeSize = () =>
  z
    .string({ error: ({ input }) => (Number.isInteger(input) ? `write ${String(input)}Gi` : undefined) })
    .check(
      z.regex(VOLUME_SIZE, { error: "is not a volume size: a whole number above 0 with Gi, G, Ti or T, such as 75Gi" }),
    );
