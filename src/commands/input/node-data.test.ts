/** Which dump of a folder is of which hosted cluster. */
import { describe, expect, it } from "vitest";
import { matchDumps } from "./node-data.ts";

function matched(dumps: readonly string[], clusters: readonly string[], links: readonly string[] = []) {
  const all = dumps.map((name) => ({ name, file: `dumps/${name}/cluster.json`, isLink: links.includes(name) }));
  const { dumpOf, findings } = matchDumps("dumps", all, clusters);
  return {
    of: Object.fromEntries([...dumpOf].map(([cluster, { name }]) => [cluster, name])),
    findings: findings.map(({ code, file = "", message }) => `${code} ${file} ${message}`),
  };
}

describe("the dump of a hosted cluster", () => {
  it.each<[string, readonly string[], readonly string[], Readonly<Record<string, string>>]>([
    ["has the namespace as its name", ["clusters-shop"], ["clusters-shop"], { "clusters-shop": "clusters-shop" }],
    ["has the end of it", ["shop"], ["clusters-shop"], { "clusters-shop": "shop" }],
    ["has an end with dashes", ["shop-eu"], ["clusters-shop-eu"], { "clusters-shop-eu": "shop-eu" }],
    ["has the folder of raw pools", ["prod"], ["overlays/prod"], { "overlays/prod": "prod" }],
    [
      "is the whole namespace before an end",
      ["shop", "clusters-shop"],
      ["shop", "clusters-shop"],
      { shop: "shop", "clusters-shop": "clusters-shop" },
    ],
  ])("%s", (_what, dumps, clusters, expected) => {
    expect(matched(dumps, clusters)).toStrictEqual({ of: expected, findings: [] });
  });

  it("is not guessed between two clusters", () => {
    const { of, findings } = matched(["shop"], ["blue-shop", "clusters-shop"]);
    expect(of).toStrictEqual({});
    expect(findings).toStrictEqual([
      "node-data-unmatched dumps/shop/cluster.json may be of several hosted clusters: blue-shop, clusters-shop, so its nodes are not counted",
      "node-data-missing  dumps has no nodes of blue-shop, clusters-shop, so what a change replaces there is unknown",
    ]);
  });

  it("is one: a second one is reported", () => {
    expect(matched(["clusters-shop", "shop"], ["clusters-shop"]).findings).toStrictEqual([
      "node-data-unmatched dumps/shop/cluster.json is of clusters-shop, and so is dumps/clusters-shop/cluster.json, so its nodes are not counted",
    ]);
  });

  it("is no link", () => {
    const { of, findings } = matched(["shop"], ["clusters-shop"], ["shop"]);
    expect(of).toStrictEqual({});
    expect(findings[0]).toContain("is a link");
  });
});
