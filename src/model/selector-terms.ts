/** How a wrapper selects subnets, security groups and capacity reservations (reference: hypershift.md 1.1). */
import * as z from "zod";
import { withFieldCount } from "./field-count.ts";
import { selectorTags } from "./node-class-tags.ts";
import { withRules } from "./rule.ts";
import { eachTermHasOneOf, notAllTermsMix } from "./term-rules.ts";

const tags = selectorTags(1).optional();

/** `subnet-0a1b2c3d`; anchored, which the same field of EC2NodeClass is not. */
const id = (prefix: string, what: string) =>
  shortText(256)
    .regex(new RegExp(`^${prefix}-[0-9a-z]+$`), {
      error: `is no ${what} id: \`${prefix}-\` and lower-case letters or digits, such as ${prefix}-0a1b2c3d4e5f`,
    })
    .optional();

function shortText(max: number): z.ZodString {
  return z.string().min(1, { abort: true }).max(max, { abort: true });
}

/** One to thirty terms. Upstream also says in CEL that there is one; `minItems` is the same. */
const listOf = <T extends z.ZodType>(term: T) =>
  z.array(term).min(1, { abort: true }).max(30, { abort: true }).meta({ "x-kubernetes-list-type": "atomic" });

export const subnetSelectorTerms = withRules(
  listOf(withFieldCount(z.strictObject({ tags, id: id("subnet", "subnet") }), { min: 1 })),
  [eachTermHasOneOf(["tags", "id"]), notAllTermsMix("id", ["tags"])],
);

export const securityGroupSelectorTerms = withRules(
  listOf(
    withFieldCount(z.strictObject({ tags, id: id("sg", "security group"), name: shortText(256).optional() }), {
      min: 1,
    }),
  ),
  [
    eachTermHasOneOf(["tags", "id", "name"]),
    notAllTermsMix("id", ["tags", "name"]),
    notAllTermsMix("name", ["tags", "id"]),
  ],
);

const capacityReservationTerm = z.strictObject({
  tags,
  id: id("cr", "capacity reservation"),
  ownerID: shortText(12)
    .regex(/^[0-9]{12}$/, { error: "is no AWS account: 12 digits, in quotes" })
    .optional(),
  instanceMatchCriteria: z.enum(["Open", "Targeted"]).optional(),
});

export const capacityReservationSelectorTerms = withRules(listOf(withFieldCount(capacityReservationTerm, { min: 1 })), [
  eachTermHasOneOf(["tags", "id", "ownerID", "instanceMatchCriteria"]),
  notAllTermsMix("id", ["tags", "ownerID", "instanceMatchCriteria"]),
]);
