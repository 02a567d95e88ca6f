/** The places of items: their paths in the package, and which of them are trusted. */
import { describe, expect, it } from "vitest";
import { packagePaths, packagePlaceOf, pathInPackage, placeAnnotations } from "./package-item.ts";

const item = (annotations: Readonly<Record<string, unknown>>, kind = "ConfigMap") => ({
  kind,
  metadata: { annotations },
});
const at = (path: string, packagePath?: string, kind?: string) =>
  item(placeAnnotations({ path, index: 0, ...(packagePath === undefined ? {} : { packagePath }) }), kind);

it.each([
  ["a.yaml", "a.yaml"],
  ["./a//b/../c.yaml", "a/c.yaml"],
  ["a/..", ""],
  ["../a.yaml", undefined],
  ["a/../../b.yaml", undefined],
  ["/a.yaml", undefined],
])("the path %j is %j in the package", (path, expected) => {
  expect(pathInPackage(path)).toBe(expected);
});

describe("a place", () => {
  it("is read from the newer names first", () => {
    const annotations = { "config.kubernetes.io/path": "old.yaml", "internal.config.kubernetes.io/path": "new.yaml" };
    expect(packagePlaceOf(item({ ...annotations, "config.kubernetes.io/index": "2" }))).toStrictEqual({
      path: "new.yaml",
      index: 2,
    });
  });

  it.each([["-1"], ["x"], ["1.5"], [3], [undefined]])("has no index %j", (index) => {
    const annotations = { "config.kubernetes.io/path": "a.yaml", "config.kubernetes.io/index": index };
    expect(packagePlaceOf(item(annotations))).toStrictEqual({ path: "a.yaml", index: 0 });
  });

  it("does not exist without a path", () => {
    expect([packagePlaceOf(item({ "config.kubernetes.io/index": "0" })), packagePlaceOf(null)]).toStrictEqual([
      undefined,
      undefined,
    ]);
  });

  it("is written under all names, equal", () => {
    expect(placeAnnotations({ path: "a.yaml", index: 1, packagePath: "/p" })).toStrictEqual({
      "internal.config.kubernetes.io/path": "a.yaml",
      "config.kubernetes.io/path": "a.yaml",
      "internal.config.kubernetes.io/index": "1",
      "config.kubernetes.io/index": "1",
      "internal.config.kubernetes.io/package-path": "/p",
    });
  });
});

describe("paths in the outermost package", () => {
  it("are not trusted if the host gives a rule or wrapper none", () => {
    const wrapper = {
      apiVersion: "karpenter.hypershift.openshift.io/v1beta1",
      kind: "OpenshiftNodePool",
      metadata: {},
    };
    expect(packagePaths([at("provider/policy.yaml"), wrapper])).toStrictEqual([undefined, undefined]);
    expect(packagePaths([at("provider/policy.yaml"), item({})])).toStrictEqual(["provider/policy.yaml", undefined]);
  });

  const kptfile = (packagePath?: string) => at("Kptfile", packagePath, "Kptfile");

  it.each<[string, readonly unknown[], readonly (string | undefined)[]]>([
    [
      "of a host without packages",
      [at("a.yaml"), at("b/../c.yaml"), {}, null],
      ["a.yaml", "c.yaml", undefined, undefined],
    ],
    [
      "of packages within the package",
      [kptfile("/p/sub"), at("a.yaml", "/p/sub"), kptfile("/p"), at("a.yaml", "/p"), at("new.yaml")],
      ["sub/Kptfile", "sub/a.yaml", "Kptfile", "a.yaml", "new.yaml"],
    ],
    [
      "that leave their package",
      [kptfile("/p"), kptfile("/p/sub"), at("../a.yaml", "/p/sub")],
      ["Kptfile", "sub/Kptfile", undefined],
    ],
    ["of another package", [kptfile("/p"), at("a.yaml", "/pq"), at("a.yaml", "/")], ["Kptfile", undefined, undefined]],
    // `kpt fn eval` names no packages: an author wrote the name into a file.
    ["that users made up", [kptfile(), at("users/a.yaml", "provider"), at("b.yaml")], ["Kptfile", undefined, "b.yaml"]],
    [
      "that users made up in a repository without a Kptfile",
      [at("a.yaml", "p"), at("b.yaml", "p/provider")],
      [undefined, undefined],
    ],
  ])("%s", (_what, items, expected) => {
    expect(packagePaths(items)).toStrictEqual(expected);
  });
});
