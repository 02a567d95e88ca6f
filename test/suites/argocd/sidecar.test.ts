/** The sidecar as kustomize adds it to argocd-repo-server, compared with Argo CD's documentation. */
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { goProgram } from "../../support/go/programs.ts";
import { ROOT } from "../../support/process/built.ts";
import { folderWith } from "../../support/process/inputs.ts";

/** The parts of Argo CD's installation that the sidecar patches. */
const REPO_SERVER = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: argocd-repo-server}
spec:
  template:
    spec:
      containers: [{name: argocd-repo-server, image: argocd}]
      volumes: [{name: var-files, emptyDir: {}}, {name: plugins, emptyDir: {}}]
`;

const KUSTOMIZATION = `
resources: [repo-server.yaml]
components: [argocd]
images: [{name: anp-cmp, newName: registry.example.com/anp-cmp, newTag: "0.1.0"}]
`;

interface Deployment {
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec: { readonly template: { readonly spec: { containers: unknown[]; volumes: unknown[] } } };
}

describe("the component", () => {
  let kustomize: string;

  beforeAll(async () => {
    kustomize = await goProgram("kustomize");
  });

  test.each(["plugin.yaml", "plugin-discovery.yaml"])("adds the sidecar with %s", (plugin) => {
    const folder = folderWith({ "repo-server.yaml": REPO_SERVER, "kustomization.yaml": KUSTOMIZATION });
    cpSync(join(ROOT, "integrations/argocd"), join(folder, "argocd"), { recursive: true });
    if (plugin !== "plugin.yaml") choose(folder, plugin);
    const { stdout, stderr } = spawnSync(kustomize, ["build", folder], { encoding: "utf8" });
    expect(stderr).toBe("");
    const [config, deployment] = parseAllDocuments(stdout).map((document) => document.toJS() as Deployment);
    const { containers, volumes } = deployment!.spec.template.spec;
    expect(config?.data?.["plugin.yaml"]?.includes("  discover:")).toBe(plugin === "plugin-discovery.yaml");
    expect(containers[0]).toStrictEqual({
      name: "anp",
      image: "registry.example.com/anp-cmp:0.1.0",
      command: ["/var/run/argocd/argocd-cmp-server"],
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 999,
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
        seccompProfile: { type: "RuntimeDefault" },
      },
      volumeMounts: [
        { name: "var-files", mountPath: "/var/run/argocd" },
        { name: "plugins", mountPath: "/home/argocd/cmp-server/plugins" },
        { name: "anp-plugin", mountPath: "/home/argocd/cmp-server/config/plugin.yaml", subPath: "plugin.yaml" },
        { name: "anp-tmp", mountPath: "/tmp" },
      ],
    });
    expect(containers[1]).toStrictEqual({ name: "argocd-repo-server", image: "argocd" });
    expect(volumes).toStrictEqual([
      { name: "anp-plugin", configMap: { name: config?.metadata.name } },
      { name: "anp-tmp", emptyDir: {} },
      { name: "var-files", emptyDir: {} },
      { name: "plugins", emptyDir: {} },
    ]);
  });
});

/** Follows the comment in the kustomization. */
function choose(folder: string, plugin: string): void {
  const file = join(folder, "argocd/kustomization.yaml");
  const text = readFileSync(file, "utf8");
  const changed = text.replace("files: [plugin.yaml]", `files: [plugin.yaml=${plugin}]`);
  expect(changed).not.toBe(text);
  writeFileSync(file, changed);
}
