/** The parts of AWS's price outputs that a catalogue is built from. */
import * as z from "zod/mini";
import { mapOf } from "../schema/map-of.ts";
import { memoize } from "../schema/memoize.ts";

const text = () => z.string().check(z.minLength(1));

/** AWS writes amounts as texts: a decimal number, without the forms that only JavaScript accepts. */
const amount = () =>
  z.string().check(z.regex(/^\d+(?:\.\d+)?$/, { error: "is not an amount: write it as 0.0960000000" }));

const nextPage = () => ({ NextToken: z.nullish(z.string()) });

/** `aws pricing get-products`: each product is a text that is JSON itself. */
export const productsAnswer = memoize(() => z.object({ PriceList: z.array(z.string()), ...nextPage() }));

/** One such text. Products other than instances lack most of the fields. */
export const product = memoize(() => {
  const attribute = z.optional(z.string());
  const dimension = z.object({ pricePerUnit: mapOf(amount()) });
  return z.object({
    product: z.object({
      productFamily: attribute,
      attributes: z.object({
        instanceType: attribute,
        regionCode: attribute,
        operatingSystem: attribute,
        tenancy: attribute,
        preInstalledSw: attribute,
        capacitystatus: attribute,
        marketoption: attribute,
      }),
    }),
    terms: z.object({ OnDemand: z.optional(mapOf(z.object({ priceDimensions: mapOf(dimension) }))) }),
  });
});

export type Product = z.output<ReturnType<typeof product>>;

/** `aws ec2 describe-spot-price-history` */
export const spotPricesAnswer = memoize(() =>
  z.object({
    SpotPriceHistory: z.array(
      z.object({
        AvailabilityZone: z.optional(z.string()),
        AvailabilityZoneId: z.optional(z.string()),
        InstanceType: text(),
        ProductDescription: z.string(),
        SpotPrice: amount(),
        Timestamp: text(),
      }),
    ),
    ...nextPage(),
  }),
);

export type SpotPrice = z.output<ReturnType<typeof spotPricesAnswer>>["SpotPriceHistory"][number];
