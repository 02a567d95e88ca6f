/** What a server says that it serves, as answers by path in, kinds out. */
import { expect, it } from "vitest";
import { apiErrorOf, failed, succeeded } from "./api-answer.ts";
import { discoverKinds } from "./http-cluster-api.ts";

const group = (name: string, preferred: string, ...others: readonly string[]) => ({
  name,
  preferredVersion: { groupVersion: `${name}/${preferred}`, version: preferred },
  versions: [...others, preferred].map((version) => ({ groupVersion: `${name}/${version}`, version })),
});

const resources = (...kinds: readonly (readonly [name: string, kind: string])[]) => ({
  resources: kinds.map(([name, kind]) => ({ name, kind })),
});

const SERVED: Readonly<Record<string, Record<string, unknown>>> = {
  "/apis": {
    groups: [group("karpenter.sh", "v1", "v1alpha1"), group("apps", "v1"), group("karpenter.gone", "v1")],
  },
  "/apis/karpenter.sh/v1": resources(["nodepools", "NodePool"], ["nodepools/status", "NodePool"]),
  "/apis/karpenter.sh/v1alpha1": resources(["nodeoverlays", "NodeOverlay"], ["nodepools", "NodePool"]),
};

const ask = (status: number, path = "", asked: string[] = []) =>
  discoverKinds(
    (name) => name.startsWith("karpenter"),
    (wanted) => {
      asked.push(wanted);
      const value = SERVED[wanted];
      if (wanted === path) return Promise.resolve(failed(apiErrorOf(status, {})));
      return Promise.resolve(value === undefined ? failed(apiErrorOf(404, {})) : succeeded(value));
    },
  );

it("finds each kind once, in the preferred version where that has it, and asks about nothing else", async () => {
  const asked: string[] = [];
  expect(await ask(0, "", asked)).toStrictEqual(
    succeeded([
      { apiVersion: "karpenter.sh/v1", kind: "NodePool", plural: "nodepools" },
      { apiVersion: "karpenter.sh/v1alpha1", kind: "NodeOverlay", plural: "nodeoverlays" },
    ]),
  );
  expect(asked).toStrictEqual([
    "/apis",
    "/apis/karpenter.sh/v1",
    "/apis/karpenter.sh/v1alpha1",
    "/apis/karpenter.gone/v1",
  ]);
});

it.each(["/apis", "/apis/karpenter.sh/v1"])("says why it cannot tell: %s", async (path) => {
  expect(await ask(403, path)).toMatchObject({ ok: false, error: { kind: "forbidden" } });
});
