/** How an EC2NodeClass selects subnets, security groups and capacity reservations. */
import * as z from "zod/mini";
import { selectorTags } from "../node-classes/node-class-tags.ts";
import { withRules } from "../schema/rule.ts";
import { eachTermHasOneOf, notAllTermsMix, SECURITY_GROUP_RULES, SUBNET_RULES } from "../node-classes/term-rules.ts";

const tags = z.optional(selectorTags(0));

// The patterns of the first two are not anchored upstream; the wrapper's are.
const id = (pattern: RegExp, what: string, prefix: string) =>
  z.optional(z.string().check(z.regex(pattern, { error: `is not a ${what} id, such as ${prefix}-0a1b2c3d4e5f` })));

/**
 * One to thirty terms. Upstream refuses an empty list by a rule, or, for capacity reservations, because `!all(…)` of an
 * empty list is false; both are the same as `minItems`.
 */
const listOf = <T extends z.ZodMiniType>(term: T) =>
  z.array(term).check(z.minLength(1, { abort: true }), z.maxLength(30, { abort: true }));

export const ec2SubnetSelectorTerms = withRules(
  listOf(z.strictObject({ tags, id: id(/subnet-[0-9a-z]+/, "subnet", "subnet") })),
  SUBNET_RULES,
);

export const ec2SecurityGroupSelectorTerms = withRules(
  listOf(z.strictObject({ tags, id: id(/sg-[0-9a-z]+/, "security group", "sg"), name: z.optional(z.string()) })),
  SECURITY_GROUP_RULES,
);

const capacityReservationTerm = () =>
  z.strictObject({
    tags,
    id: id(/^cr-[0-9a-z]+$/, "capacity reservation", "cr"),
    ownerID: z.optional(
      z.string().check(z.regex(/^[0-9]{12}$/, { error: "is not an AWS account: 12 digits, in quotes" })),
    ),
    instanceMatchCriteria: z.optional(z.enum(["open", "targeted"])),
  });

export const ec2CapacityReservationSelectorTerms = z.lazy(() =>
  withRules(listOf(capacityReservationTerm()), [
    // The wrapper accepts a term of ownerID alone; the rendered object with it is refused here.
    eachTermHasOneOf(["tags", "id", "instanceMatchCriteria"]),
    notAllTermsMix("id", ["tags", "ownerID", "instanceMatchCriteria"]),
  ]),
);
