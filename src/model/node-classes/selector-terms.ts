/** How a wrapper selects subnets, security groups and capacity reservations. */
import * as z from "zod/mini";
import { withFieldCount, withKeywords } from "../schema/keywords.ts";
import { selectorTags } from "./node-class-tags.ts";
import { withRules } from "../schema/rule.ts";
import { eachTermHasOneOf, notAllTermsMix, SECURITY_GROUP_RULES, SUBNET_RULES } from "./term-rules.ts";

const tags = z.optional(z.lazy(() => selectorTags(1)));

/** `subnet-0a1b2c3d`; anchored, unlike the same field of EC2NodeClass. */
const id = (prefix: string, what: string) =>
  z.optional(
    shortText(256).check(
      z.regex(new RegExp(`^${prefix}-[0-9a-z]+$`), {
        error: `is not a ${what} id: \`${prefix}-\` and lower-case letters or digits, such as ${prefix}-0a1b2c3d4e5f`,
      }),
    ),
  );

function shortText(max: number): z.ZodMiniString {
  return z.string().check(z.minLength(1, { abort: true }), z.maxLength(max, { abort: true }));
}

/** One to thirty terms. Upstream also requires one in CEL; `minItems` is the same. */
const listOf = <T extends z.ZodMiniType>(term: T) =>
  withKeywords(z.array(term).check(z.minLength(1, { abort: true }), z.maxLength(30, { abort: true })), {
    "x-kubernetes-list-type": "atomic",
  });

/** As in docs/upstream/hypershift.md#openshiftec2nodeclass. */
export const subnetSelectorTerms = z.lazy(() =>
  withRules(listOf(withFieldCount(z.strictObject({ tags, id: id("subnet", "subnet") }), { min: 1 })), SUBNET_RULES),
);

export const securityGroupSelectorTerms = z.lazy(() =>
  withRules(
    listOf(
      withFieldCount(z.strictObject({ tags, id: id("sg", "security group"), name: z.optional(shortText(256)) }), {
        min: 1,
      }),
    ),
    SECURITY_GROUP_RULES,
  ),
);

const capacityReservationTerm = () =>
  z.strictObject({
    tags,
    id: id("cr", "capacity reservation"),
    ownerID: z.optional(
      shortText(12).check(z.regex(/^[0-9]{12}$/, { error: "is not an AWS account: 12 digits, in quotes" })),
    ),
    instanceMatchCriteria: z.optional(z.enum(["Open", "Targeted"])),
  });

export const capacityReservationSelectorTerms = z.lazy(() =>
  withRules(listOf(withFieldCount(capacityReservationTerm(), { min: 1 })), [
    eachTermHasOneOf(["tags", "id", "ownerID", "instanceMatchCriteria"]),
    notAllTermsMix("id", ["tags", "ownerID", "instanceMatchCriteria"]),
  ]),
);
