/** Network fields of an EC2NodeClass that HyperShift never sets. */
import * as z from "zod/mini";
import { withFieldCount, withKeywords } from "../schema/keywords.ts";
import { withRules } from "../schema/rule.ts";

const index = () => withKeywords(z.int32().check(z.minimum(0)), { format: "int32" });

const networkInterface = () =>
  z.strictObject({
    networkCardIndex: index(),
    deviceIndex: index(),
    interfaceType: z.enum(["interface", "efa-only"]),
  });

type NetworkInterface = z.output<ReturnType<typeof networkInterface>>;

const isPrimary = ({ networkCardIndex, deviceIndex, interfaceType }: NetworkInterface): boolean =>
  networkCardIndex === 0 && deviceIndex === 0 && interfaceType === "interface";

const slot = ({ networkCardIndex, deviceIndex }: NetworkInterface): string => `${networkCardIndex}/${deviceIndex}`;

const efaCard = ({ networkCardIndex, interfaceType }: NetworkInterface): string | undefined =>
  interfaceType === "efa-only" ? String(networkCardIndex) : undefined;

/** The index of the first entry with the key of an earlier one, or -1. */
function repeated(all: readonly NetworkInterface[], key: (one: NetworkInterface) => string | undefined): number {
  const keys = all.map(key);
  return keys.findIndex((one, at) => one !== undefined && keys.indexOf(one) < at);
}

export const networkInterfaces = () =>
  withRules(z.array(networkInterface()).check(z.maxLength(150, { abort: true })), [
    {
      cel: "self.size() == 0 || self.exists(x, x.deviceIndex == 0 && x.networkCardIndex == 0 && x.interfaceType == 'interface')",
      message: "the primary interface is missing",
      hint: "add networkCardIndex 0, deviceIndex 0, interfaceType interface",
      test: (all) => all.length === 0 || all.some(isPrimary),
    },
    {
      cel: "self.all(x, self.exists_one(y, y.networkCardIndex == x.networkCardIndex && y.deviceIndex == x.deviceIndex))",
      message: "an earlier interface has the same networkCardIndex and deviceIndex",
      test: (all) => repeated(all, slot) === -1,
      at: (all) => [repeated(all, slot)],
    },
    {
      cel: "self.all(x, x.interfaceType != 'efa-only' || self.exists_one(y, y.networkCardIndex == x.networkCardIndex && y.interfaceType == 'efa-only'))",
      message: "a network card has one efa-only interface at most",
      test: (all) => repeated(all, efaCard) === -1,
      at: (all) => [repeated(all, efaCard)],
    },
  ]);

export const placementGroupSelector = () =>
  withRules(
    z.strictObject({
      id: z.optional(
        z.string().check(z.regex(/^pg-[0-9a-z]+$/, { error: "is not a placement group id, such as pg-0a1b2c3d4e5f" })),
      ),
      name: z.optional(z.string().check(z.minLength(1))),
    }),
    [
      {
        cel: "has(self.name) != has(self.id)",
        message: "one of name and id, and not both, selects the placement group",
        test: ({ name, id }) => (name === undefined) !== (id === undefined),
      },
    ],
  );

const seconds = (min: number, max: number) =>
  z.optional(withKeywords(z.int().check(z.minimum(min), z.maximum(max)), { format: "int32" }));

export const connectionTracking = () =>
  withFieldCount(
    z.strictObject({
      tcpEstablishedTimeout: seconds(60, 432_000),
      udpStreamTimeout: seconds(60, 180),
      udpTimeout: seconds(30, 60),
    }),
    { min: 1 },
  );
