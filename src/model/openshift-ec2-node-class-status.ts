/** `status` of OpenshiftEC2NodeClass: what HyperShift's operator found for the selectors and the version. */
import * as z from "zod";
import { withFieldCount } from "./field-count.ts";
import { conditionsSchema } from "./metadata.ts";

const text = (max: number) => z.string().min(1).max(max);
const listOf = <T extends z.ZodType>(item: T) =>
  z.array(item).min(1).max(100).meta({ "x-kubernetes-list-type": "atomic" }).optional();

const capacityReservation = () =>
  z.strictObject({
    id: text(256),
    instanceType: text(256),
    availabilityZone: text(64),
    ownerID: text(12),
    instanceMatchCriteria: z.enum(["Open", "Targeted"]),
    reservationType: z.enum(["Default", "CapacityBlock"]).optional(),
    state: z.enum(["Active", "Expiring"]).optional(),
    endTime: z.iso.datetime({ offset: true }).optional(),
  });

export const openshiftEC2NodeClassStatus = () =>
  withFieldCount(
    z.strictObject({
      conditions: conditionsSchema().optional(),
      subnets: listOf(z.strictObject({ id: text(256), zone: text(256), zoneID: text(256).optional() })),
      securityGroups: listOf(z.strictObject({ id: text(256), name: text(256).optional() })),
      capacityReservations: listOf(capacityReservation()),
      releaseImage: text(512).optional(),
      version: text(64).optional(),
    }),
    { min: 1 },
  );
