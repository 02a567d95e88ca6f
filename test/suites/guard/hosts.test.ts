/**
 * Tests that kustomize, kpt and Argo CD run anp for a guard: pools stay unchanged, and the manifests are those of anp
 * guard.
 */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { CmpServer } from "../../support/argocd/cmp-server.ts";
import { CONFIG, POLICY, RAW } from "../../support/guard/raw-package.ts";
import { goProgram } from "../../support/go/programs.ts";
import { kpt, kptMissing } from "../../support/kpt/kpt.ts";
import { kustomizeBuild } from "../../support/kustomize/kustomize.ts";
import { anp, buildOnce, ROOT } from "../../support/process/built.ts";
import { folderWith, textsIn } from "../../support/process/inputs.ts";
import { programsIn } from "../../support/process/programs.ts";

const FILES = { "rules/policy.yaml": POLICY, "rules/config.yaml": CONFIG, "pools/web.yaml": RAW };
const FUNCTION = `apiVersion: v1
kind: ConfigMap
metadata:
  name: anp
  annotations:
    config.kubernetes.io/function: "exec: {path: ./anp, args: [fn]}"
data: {guard: deny}
`;

interface Named {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: unknown;
}

/** Kind, name and spec of each guard object, sorted. */
function guardIn(objects: readonly Named[]): unknown[] {
  return objects
    .filter(({ kind }) => /^(Mutating|Validating)Admission/.test(kind))
    .map(({ kind, metadata, spec }) => ({ name: `${kind} ${metadata.name}`, spec }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const objectsIn = (text: string): Named[] => parseAllDocuments(text).map((document) => document.toJSON() as Named);

describe("a guard", { timeout: 600_000 }, () => {
  beforeAll(buildOnce, 1_200_000);

  function printed(): unknown[] {
    const args = ["guard", "rules/policy.yaml", "--config", "rules/config.yaml"];
    const { exit, stdout } = anp(args, { cwd: folderWith(FILES) });
    expect(exit).toBe(0);
    return guardIn(objectsIn(stdout));
  }

  test("is built by kustomize, with anp as its transformer", async () => {
    const resources = `resources: [${Object.keys(FILES).join(", ")}]\n`;
    const kustomization = `${resources}transformers: [anp.yaml]\n`;
    const folder = folderWith({ ...FILES, "anp.yaml": FUNCTION, "kustomization.yaml": kustomization });
    const { exit, stdout, stderr } = kustomizeBuild(await goProgram("kustomize"), programsIn(folder));
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    const built = objectsIn(stdout);
    expect(guardIn(built)).toEqual(printed());
    expect(built.find(({ kind }) => kind === "NodePool")).toEqual(parse(RAW));
  });

  test.skipIf(kptMissing() !== undefined)("is written by kpt, and a second run changes nothing", () => {
    const pipeline = "  mutators:\n    - exec: anp fn\n      configMap: {guard: deny}\n";
    const kptfile = `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\npipeline:\n${pipeline}`;
    const folder = folderWith({ ...FILES, Kptfile: kptfile });
    const ended = kpt(["fn", "render", "--allow-exec"], folder);
    expect(ended, ended.stderr).toMatchObject({ exit: 0 });
    const texts = textsIn(folder);
    expect(texts["pools/web.yaml"]).toBe(RAW);
    const written = Object.entries(texts).filter(([path]) => path.startsWith("guard/"));
    expect(guardIn(written.flatMap(([, text]) => objectsIn(text)))).toEqual(printed());
    expect(kpt(["fn", "render", "--allow-exec"], folder)).toMatchObject({ exit: 0 });
    expect(textsIn(folder)).toEqual(texts);
  });

  describe("in Argo CD", () => {
    let server: CmpServer;

    beforeAll(async () => {
      server = await CmpServer.start(join(ROOT, "integrations/argocd/plugin.yaml"));
    }, 1_200_000);

    afterAll(() => server?.stop());

    test("is part of the plugin's manifests, with the pools", () => {
      const { value, error } = server.ask("GenerateManifest", {
        repository: folderWith(FILES),
        application: ".",
        plugin: { name: "anp", parameters: [{ name: "guard", string: "deny" }] },
      });
      expect(error).toBeUndefined();
      const { manifests } = value as { manifests: string[] };
      const made = manifests.map((manifest) => JSON.parse(manifest) as Named);
      expect(guardIn(made)).toEqual(printed());
      expect(made.filter(({ kind }) => kind === "NodePool")).toEqual([parse(RAW)]);
    });
  });
});
