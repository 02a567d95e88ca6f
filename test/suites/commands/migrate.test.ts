/** `anp migrate` end to end: its streams, files in place, the diff, and exit codes. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runAnp } from "../../support/process/run-anp.ts";
import { folderWith } from "../../support/process/inputs.ts";

const POOL = `# The shop's.
apiVersion: karpenter.sh/v1beta1
kind: NodePool
metadata:
  name: web   # in front
spec:
  template:
    spec:
      kubelet: # many small pods
        maxPods: 250
      nodeClassRef: {name: default}
      requirements: []
  disruption:
    expireAfter: Never
`;

const CLASS = `apiVersion: karpenter.k8s.aws/v1beta1
kind: EC2NodeClass
metadata:
  name: default
spec:
  amiFamily: AL2023
  role: nodes
  subnetSelectorTerms: [{tags: {karpenter.sh/discovery: shop}}]
  securityGroupSelectorTerms: [{tags: {karpenter.sh/discovery: shop}}]
  metadataOptions: {httpPutResponseHopLimit: 1}
`;

const OTHER = `apiVersion:   v1
kind: ConfigMap
metadata: {name: other}   # odd spaces stay
`;

const POOL_V1 = `# The shop's.
apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: web   # in front
spec:
  template:
    spec:
      nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: default }
      requirements: []
      expireAfter: Never
`;

const CLASS_V1 = `apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata:
  name: default
spec:
  role: nodes
  subnetSelectorTerms: [{tags: {karpenter.sh/discovery: shop}}]
  securityGroupSelectorTerms: [{tags: {karpenter.sh/discovery: shop}}]
  metadataOptions: {httpPutResponseHopLimit: 1}
  amiSelectorTerms:
  - alias: al2023@latest
  kubelet: # many small pods
    maxPods: 250
`;

describe("a stream", () => {
  it("is printed whole, with the changes", async () => {
    const { exit, stdout, stderr } = await runAnp(["migrate"], { input: `${POOL}---\n${OTHER}---\n${CLASS}` });
    expect({ exit, stdout }).toStrictEqual({ exit: 0, stdout: `${POOL_V1}---\n${OTHER}---\n${CLASS_V1}` });
    expect(stderr).toContain("2 objects migrated to v1\nforecast: nodes of web stay\n");
  });

  it("keeps carriage returns", async () => {
    const { stdout } = await runAnp(["migrate", "-"], { input: `${POOL}---\n${CLASS}`.replaceAll("\n", "\r\n") });
    expect(stdout).toBe(`${POOL_V1}---\n${CLASS_V1}`.replaceAll("\n", "\r\n"));
  });

  it("is empty if a pool would lose a setting", async () => {
    const { exit, stdout, stderr } = await runAnp(["migrate"], { input: POOL });
    expect({ exit, stdout }).toStrictEqual({ exit: 1, stdout: "" });
    expect(stderr).toContain("the EC2NodeClass default is not in the input [migrate-refused]");
  });

  it("is empty if the input cannot be read", async () => {
    expect(await runAnp(["migrate"], { input: `${POOL}---\n{` })).toMatchObject({ exit: 3, stdout: "" });
  });

  it("is empty for a finding of the severity in --fail-on", async () => {
    const input = CLASS.replace("  metadataOptions: {httpPutResponseHopLimit: 1}\n", "");
    expect(await runAnp(["migrate", "--fail-on", "warning"], { input })).toMatchObject({ exit: 1, stdout: "" });
    expect((await runAnp(["migrate"], { input })).stdout).toContain("httpPutResponseHopLimit: 2");
  });

  it("moves the comments of moved settings too, both ways", async () => {
    const input = `${POOL_V1}---\n${CLASS_V1}`;
    const back = await runAnp(["migrate", "--to", "v1beta1"], { input });
    expect(back.stdout).toContain("      kubelet: # many small pods\n        maxPods: 250\n");
    const again = await runAnp(["migrate"], { input: back.stdout });
    expect(again.exit).toBe(0);
    expect(again.stdout).toContain("  kubelet: # many small pods\n    maxPods: 250\n");
  });
});

describe("--write", () => {
  it("changes the files that need it, and no others", async () => {
    const folder = folderWith({ "pool.yaml": POOL, "class.yaml": CLASS, "other.yaml": OTHER });
    const { exit, stdout, stderr } = await runAnp(["migrate", "--write", folder]);
    expect({ exit, stdout }).toStrictEqual({ exit: 0, stdout: "" });
    expect(readFileSync(join(folder, "pool.yaml"), "utf8")).toBe(POOL_V1);
    expect(readFileSync(join(folder, "class.yaml"), "utf8")).toBe(CLASS_V1);
    expect(readFileSync(join(folder, "other.yaml"), "utf8")).toBe(OTHER);
    expect(stderr).toContain("2 objects migrated to v1 in 2 files\n");
    expect((await runAnp(["migrate", "--write", folder])).stderr).toContain("[migrate-nothing]");
  });

  it("changes nothing on any error", async () => {
    const folder = folderWith({ "pool.yaml": POOL, "second.yaml": CLASS.replace("name: default", "name: second") });
    expect(await runAnp(["migrate", "--write", folder])).toMatchObject({ exit: 1, stdout: "" });
    expect(readFileSync(join(folder, "second.yaml"), "utf8")).toContain("v1beta1");
  });

  it("refuses the standard input", async () => {
    expect(await runAnp(["migrate", "--write", "-"], { input: POOL })).toMatchObject({ exit: 2, stdout: "" });
    expect(await runAnp(["migrate", "--write"], { input: POOL })).toMatchObject({ exit: 2, stdout: "" });
  });
});

describe("--dry-run", () => {
  it("shows a diff that patch reads, and writes nothing", async () => {
    const folder = folderWith({ "pool.yaml": POOL, "class.yaml": CLASS });
    const { exit, stdout } = await runAnp(
      ["migrate", "--write", "--dry-run", "--color", "never", "pool.yaml", "class.yaml"],
      {
        cwd: folder,
      },
    );
    expect(exit).toBe(0);
    expect(stdout).toBe(`--- a/pool.yaml
+++ b/pool.yaml
@@ -1,14 +1,11 @@
 # The shop's.
-apiVersion: karpenter.sh/v1beta1
+apiVersion: karpenter.sh/v1
 kind: NodePool
 metadata:
   name: web   # in front
 spec:
   template:
     spec:
-      kubelet: # many small pods
-        maxPods: 250
-      nodeClassRef: {name: default}
+      nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: default }
       requirements: []
-  disruption:
-    expireAfter: Never
+      expireAfter: Never
--- a/class.yaml
+++ b/class.yaml
@@ -1,10 +1,13 @@
-apiVersion: karpenter.k8s.aws/v1beta1
+apiVersion: karpenter.k8s.aws/v1
 kind: EC2NodeClass
 metadata:
   name: default
 spec:
-  amiFamily: AL2023
   role: nodes
   subnetSelectorTerms: [{tags: {karpenter.sh/discovery: shop}}]
   securityGroupSelectorTerms: [{tags: {karpenter.sh/discovery: shop}}]
   metadataOptions: {httpPutResponseHopLimit: 1}
+  amiSelectorTerms:
+  - alias: al2023@latest
+  kubelet: # many small pods
+    maxPods: 250
`);
    expect(readFileSync(join(folder, "pool.yaml"), "utf8")).toBe(POOL);
  });
});

it("follows the severities of a RenderConfig", async () => {
  const folder = folderWith({ "class.yaml": CLASS.replace("  metadataOptions: {httpPutResponseHopLimit: 1}\n", "") });
  const config = join(folder, "rules.txt");
  writeFileSync(
    config,
    "apiVersion: anp.hypershift.openshift.io/v1alpha1\nkind: RenderConfig\nmetadata: {name: r}\nspec: {rules: {migrate-behaves-differently: error}}\n",
  );
  expect(await runAnp(["migrate", "--config", config, folder])).toMatchObject({ exit: 1, stdout: "" });
});
