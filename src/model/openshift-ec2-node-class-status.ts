/** `status` of OpenshiftEC2NodeClass: what HyperShift found for the selectors and the version. */
import * as z from "zod/mini";
import { withFieldCount } from "./field-count.ts";
import { withKeywords } from "./keywords.ts";
import { conditionsSchema } from "./metadata.ts";

const text = (max: number) => z.string().check(z.minLength(1), z.maxLength(max));
const listOf = <T extends z.ZodMiniType>(item: T) =>
  z.optional(
    withKeywords(z.array(item).check(z.minLength(1), z.maxLength(100)), { "x-kubernetes-list-type": "atomic" }),
  );

const capacityReservation = () =>
  z.strictObject({
    id: text(256),
    instanceType: text(256),
    availabilityZone: text(64),
    ownerID: text(12),
    instanceMatchCriteria: z.enum(["Open", "Targeted"]),
    reservationType: z.optional(z.enum(["Default", "CapacityBlock"])),
    state: z.optional(z.enum(["Active", "Expiring"])),
    endTime: z.optional(z.iso.datetime({ offset: true })),
  });

export const openshiftEC2NodeClassStatus = () =>
  withFieldCount(
    z.strictObject({
      conditions: z.optional(conditionsSchema()),
      subnets: listOf(z.strictObject({ id: text(256), zone: text(256), zoneID: z.optional(text(256)) })),
      securityGroups: listOf(z.strictObject({ id: text(256), name: z.optional(text(256)) })),
      capacityReservations: listOf(capacityReservation()),
      releaseImage: z.optional(text(512)),
      version: z.optional(text(64)),
    }),
    { min: 1 },
  );
