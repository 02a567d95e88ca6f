/** Which hosted clusters each wave takes. */
import { describe, expect, it } from "vitest";
import { cutWaves, WAVE_LABEL } from "./waves.ts";

const CLUSTERS = ["auth", "blog", "chat", "docs", "feed", "mail", "maps", "shop"].map((name) => ({
  hostedCluster: `clusters-${name}`,
  labels: (name === "chat" || name === "docs" ? { [WAVE_LABEL]: "canary", tier: "low" } : { tier: "high" }) as Record<
    string,
    string
  >,
}));

function cut(text: string): readonly string[] | string {
  const waves = cutWaves(text, CLUSTERS);
  if ("problem" in waves) return waves.problem;
  return waves.map(({ name, clusters }) => `${name}: ${clusters.join(" ").replaceAll("clusters-", "")}`);
}

describe("waves", () => {
  it.each<[string, readonly string[]]>([
    ["rest", ["rest: auth blog chat docs feed mail maps shop"]],
    ["canary,rest", ["canary: chat docs", "rest: auth blog feed mail maps shop"]],
    ["canary, 25%, rest", ["canary: chat docs", "25%: auth blog", "rest: feed mail maps shop"]],
    ["10%,100%", ["10%: auth", "100%: blog chat docs feed mail maps shop"]],
    ["1,1,rest", ["1: auth", "1: blog", "rest: chat docs feed mail maps shop"]],
    ["tier=low,clusters-shop,rest", ["tier=low: chat docs", "clusters-shop: shop", "rest: auth blog feed mail maps"]],
    ["tier=high,canary,rest", ["tier=high: auth blog feed mail maps shop", "canary: chat docs"]],
  ])("%s", (text, waves) => {
    expect(cut(text)).toStrictEqual(waves);
  });

  it.each<[string, string]>([
    [
      "canary",
      "6 clusters are in no wave (clusters-auth, clusters-blog, clusters-feed, clusters-mail, clusters-maps and 1 other): end with ,rest",
    ],
    ["canary,canary,rest", '--waves names "canary" twice'],
    [
      "canry,rest",
      `--waves: "canry" takes no cluster that is left: it is no share, no namespace of a cluster that changes, and no value of the label ${WAVE_LABEL} (its values are canary)`,
    ],
    [
      "__proto__=x,rest",
      `--waves: "__proto__=x" takes no cluster that is left: it is no share, no namespace of a cluster that changes, and no value of the label ${WAVE_LABEL} (its values are canary)`,
    ],
  ])("%s is refused", (text, problem) => {
    expect(cut(text)).toBe(problem);
  });
});
