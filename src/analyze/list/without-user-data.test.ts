/** User data is removed, also from the copies of the object in annotations. */
import { expect, it } from "vitest";
import { withoutUserData } from "./without-user-data.ts";

const copy = JSON.stringify({ spec: { userData: "hunter2" } });
const plain = JSON.stringify({ spec: {} });

it.each<[object, object, string[]]>([
  [{ "kubectl.kubernetes.io/last-applied-configuration": copy }, {}, []],
  [{ "kapp.k14s.io/original": copy, team: "shop" }, {}, ["team"]],
  // Packed, so its content cannot be checked.
  [{ "objectset.rio.cattle.io/applied": "H4sIAAAA" }, { userData: "hunter2" }, []],
  [
    { "kubectl.kubernetes.io/last-applied-configuration": plain },
    { userData: "hunter2" },
    ["kubectl.kubernetes.io/last-applied-configuration"],
  ],
])("of %j with %j", (annotations, spec, left) => {
  const { objects, leftOut } = withoutUserData([{ metadata: { name: "default", annotations }, spec }]);
  expect(leftOut).toStrictEqual(["default"]);
  expect(objects).toStrictEqual([
    {
      metadata: {
        name: "default",
        annotations: Object.fromEntries(Object.entries(annotations).filter(([key]) => left.includes(key))),
      },
      spec: {},
    },
  ]);
});

it("leaves objects without user data unchanged", () => {
  const object = { metadata: { name: "web", annotations: { "kapp.k14s.io/original": plain } }, spec: {} };
  expect(withoutUserData([object])).toStrictEqual({ objects: [object], leftOut: [] });
});
