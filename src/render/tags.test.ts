/** Tests tags of the platform and of the user: precedence, restricted tags and order. */
import { expect, it } from "vitest";
import {
  makeBundle,
  classText,
  configText,
  inputsOf,
  controlPlaneText,
  nodeClassOf,
} from "../../test/support/bundle.ts";
import { renderTags } from "./tags.ts";

type Tags = Readonly<Record<string, string>>;

/** Tags of the platform; a value that ends with `?` may be overridden. */
function tags(
  platform: Tags | undefined,
  user: Tags | undefined,
  where: "HostedControlPlane" | "RenderConfig" = "HostedControlPlane",
) {
  const list = Object.entries(platform ?? {}).map(([key, value]) =>
    value.endsWith("?") ? { key, value: value.slice(0, -1), overridePolicy: "Allow" } : { key, value },
  );
  const text = JSON.stringify(list);
  const bundle = makeBundle({
    "platform.yaml":
      where === "RenderConfig"
        ? configText(`{hostedCluster: {resourceTags: ${text}}}`)
        : controlPlaneText(platform === undefined ? "{}" : `{platform: {aws: {resourceTags: ${text}}}}`),
    "class.yaml": classText(user === undefined ? "{monitoring: Basic}" : `{tags: ${JSON.stringify(user)}}`),
  });
  const { value, findings } = renderTags(nodeClassOf(bundle.nodeClasses[0]), inputsOf(bundle).hidden.resourceTags);
  return { tags: value.tags, findings };
}

it.each<[string, Tags | undefined, Tags | undefined, Tags | undefined, number]>([
  ["neither has any", undefined, undefined, undefined, 0],
  ["the platform's list is empty", {}, undefined, undefined, 0],
  ["only the platform has some", { b: "1", a: "2" }, undefined, { a: "2", b: "1" }, 0],
  ["only the user has some", undefined, { b: "1", a: "2" }, { a: "2", b: "1" }, 0],
  ["both have some", { b: "1" }, { a: "2" }, { a: "2", b: "1" }, 0],
  ["both set one, and the platform wins", { a: "1" }, { a: "2" }, { a: "1" }, 1],
  ["both set one to the same", { a: "1" }, { a: "1" }, { a: "1" }, 0],
  ["both set one, and the platform allows it", { a: "1?" }, { a: "2" }, { a: "2" }, 0],
  ["the platform allows it, and the user does not set it", { a: "1?" }, { b: "2" }, { a: "1", b: "2" }, 0],
  ["the cluster's own tag", { "kubernetes.io/cluster/shop": "owned" }, undefined, undefined, 0],
  [
    "Karpenter's own tags",
    {
      "karpenter.sh/nodepool": "a",
      "karpenter.sh/nodeclaim": "b",
      "karpenter.k8s.aws/ec2nodeclass": "c",
      "eks:eks-cluster-name": "d",
      x: "e",
    },
    undefined,
    { x: "e" },
    0,
  ],
  [
    "keys that only look like them",
    { "kubernetes.io/cluster/": "a", "kubernetes.io/cluster/a/b": "b", "my-karpenter.sh/nodepool": "c" },
    undefined,
    { "kubernetes.io/cluster/": "a", "kubernetes.io/cluster/a/b": "b", "my-karpenter.sh/nodepool": "c" },
    0,
  ],
  ["empty values", { a: "" }, { b: "" }, { a: "", b: "" }, 0],
  ["names of JavaScript's own", { constructor: "a" }, { toString: "b" }, { constructor: "a", toString: "b" }, 0],
])("%s", (_what, platform, user, expected, overridden) => {
  const result = tags(platform, user);
  expect(result.tags).toStrictEqual(expected);
  expect(Object.keys(result.tags ?? {})).toStrictEqual(Object.keys(expected ?? {}).toSorted());
  expect(result.findings.map(({ code }) => code)).toStrictEqual(
    Array.from({ length: overridden }, () => "tag-overridden"),
  );
  if (platform !== undefined) expect(tags(platform, user, "RenderConfig").tags).toStrictEqual(expected);
});

it("points at the user's overridden tag", () => {
  expect(tags({ "cost-center": "1" }, { team: "x", "cost-center": "2" }).findings).toMatchObject([
    { code: "tag-overridden", severity: "warning", file: "class.yaml", field: "spec.tags.cost-center" },
  ]);
});
