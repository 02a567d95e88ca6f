/** What can go wrong with a policy file by hand: each slip with what anp has to say about it. */

/** Path to content; a folder is a path that ends with a slash. */
export type Files = Map<string, string | Uint8Array>;

export const POLICY_FILE = "provider/policy.yaml";

export const POLICY = `apiVersion: karpenter.hypershift.openshift.io/v1beta1
kind: AutoNodePolicy
metadata:
  name: default
  namespace: clusters-shop
spec:
  nodePoolDefaults:
    requirements:
      - key: kubernetes.io/arch
        operator: In
        values: [amd64]
      - key: topology.kubernetes.io/zone
        operator: NotIn
        values: [us-east-1-bos-1a]
        minValues: 2
  ec2NodeClassDefaults:
    rootVolume:
      volumeSize: 100Gi
      volumeType: gp3
      encrypted: true
      iops: 3000
      throughput: 125
`;

/**
 * `absent`: the hosted cluster has no policy, or the input names no hosted cluster. `holds`: the slip does no harm,
 * and the policy is enforced. Otherwise the code of the finding.
 */
export interface Slip {
  readonly what: string;
  readonly apply: (files: Files) => void;
  readonly exit: 0 | 1 | 3;
  readonly says: string;
}

/** A change of the policy's text; it must change something. */
function edit(what: string, from: string | RegExp, to: string, exit: Slip["exit"], says: string): Slip {
  return {
    what,
    exit,
    says,
    apply: (files) => {
      const before = String(files.get(POLICY_FILE));
      const after = before.replace(from, to);
      if (after === before) throw new Error(`${what}: nothing was changed`);
      files.set(POLICY_FILE, after);
    },
  };
}

function move(what: string, to: string, exit: Slip["exit"], says: string, more: Record<string, string> = {}): Slip {
  return {
    what,
    exit,
    says,
    apply: (files) => {
      const policy = files.get(POLICY_FILE)!;
      files.delete(POLICY_FILE);
      files.set(to, policy);
      for (const [path, text] of Object.entries(more)) files.set(path, text);
    },
  };
}

function write(what: string, content: (text: string) => string | Uint8Array, exit: Slip["exit"], says: string): Slip {
  return { what, exit, says, apply: (files) => files.set(POLICY_FILE, content(String(files.get(POLICY_FILE)))) };
}

const utf16 = (text: string, mark: readonly number[]): Uint8Array =>
  Buffer.concat([Uint8Array.from(mark), Buffer.from(text, "utf16le")]);

/** Comments out the line with the key and everything below it. */
function comment(key: string, exit: Slip["exit"], says: string): Slip {
  return {
    what: `${key} commented out`,
    exit,
    says,
    apply: (files) => {
      const lines = String(files.get(POLICY_FILE)).split("\n");
      const start = lines.findIndex((line) => line.trim().startsWith(`${key}:`) || line.trim() === key);
      if (start === -1) throw new Error(`no ${key}`);
      const indent = lines[start]!.search(/\S/);
      const length = lines.slice(start + 1).findIndex((line) => line.trim() === "" || line.search(/\S/) <= indent);
      const commented = lines.map((line, at) => (at >= start && at <= start + length ? `#${line}` : line));
      files.set(POLICY_FILE, commented.join("\n"));
    },
  };
}

export const FILE_SLIPS: readonly Slip[] = [
  { what: "the file is deleted", exit: 0, says: "absent", apply: (files) => files.delete(POLICY_FILE) },
  move("renamed to .txt", "provider/policy.txt", 0, "absent"),
  move("renamed to .yaml.bak", "provider/policy.yaml.bak", 0, "absent"),
  move("renamed to .yaml~", "provider/policy.yaml~", 0, "absent"),
  move("renamed to .YAML", "provider/policy.YAML", 0, "holds"),
  move("renamed to .json", "provider/policy.json", 0, "holds"),
  move("in a hidden file", "provider/.policy.yaml", 0, "file-skipped"),
  move("in a hidden folder", "provider/.old/policy.yaml", 0, "file-skipped"),
  move("in a folder that .krmignore names", "provider/old/policy.yaml", 0, "file-skipped", { ".krmignore": "old\n" }),
  move("named by .krmignore", POLICY_FILE, 0, "file-skipped", { "provider/.krmignore": "policy.yaml\n" }),
  move("named by a pattern of .krmignore", POLICY_FILE, 0, "file-skipped", { ".krmignore": "*.yaml\n!users/**\n" }),
  move("in kustomization.yaml", "provider/kustomization.yaml", 0, "file-skipped"),
  move("in a folder named like it", "provider/policy.yaml/policy.yaml", 0, "holds"),
  move("one folder up", "policy.yaml", 0, "holds"),
  move("beside the wrappers", "users/policy.yaml", 0, "holds"),
  {
    what: "a folder in its place",
    exit: 0,
    says: "absent",
    apply: (files) => {
      files.delete(POLICY_FILE);
      files.set(`${POLICY_FILE}/`, "");
    },
  },
  write("emptied", () => "", 0, "file-skipped"),
  write("only comments left", (text) => text.replaceAll(/^/gm, "# "), 0, "file-skipped"),
  write("only a separator left", () => "---\n", 0, "file-skipped"),
  write("with a byte order mark", (text) => `\u{feff}${text}`, 0, "holds"),
  write("with Windows line ends", (text) => text.replaceAll("\n", "\r\n"), 0, "holds"),
  write("as UTF-16", (text) => utf16(text, [0xff, 0xfe]), 3, "not-utf8"),
  write("as UTF-16 without a mark", (text) => utf16(text, []), 3, "yaml-syntax"),
  write("as Latin-1", (text) => Buffer.from(`${text}# Gr\u{f6}\u{df}e\n`, "latin1"), 3, "not-utf8"),
  write("cut off in the middle", (text) => text.slice(0, text.indexOf("ec2NodeClass") + 3), 3, "yaml-syntax"),
  write("cut off after the metadata", (text) => text.slice(0, text.indexOf("spec:")), 0, "policy-empty"),
  write("with a tab", (text) => text.replace("  nodePool", "\tnodePool"), 3, "yaml-syntax"),
  write("with a merge conflict", (text) => `<<<<<<< HEAD\n${text}=======\n>>>>>>> main\n`, 3, "yaml-syntax"),
  write("as a template", (text) => text.replace("amd64", "{{ .arch }}"), 3, "yaml-syntax"),
  write("given twice", (text) => `${text}---\n${text}`, 1, "policy-duplicate"),
  write("given twice without a separator", (text) => `${text}${text}`, 3, "yaml-duplicate-key"),
  write("with a separator inside", (text) => text.replace("spec:", "---\nspec:"), 0, "policy-empty"),
  write("with an end marker inside", (text) => text.replace("spec:", "...\nspec:"), 0, "policy-empty"),
  write("in a List", (text) => list(text, "items"), 0, "holds"),
  write("in a List without items", (text) => list(text, "itmes"), 0, "absent"),
  write("as a text in a ConfigMap", configMap, 0, "absent"),
];

const indented = (text: string, by: string): string => text.replaceAll(/^(?=.)/gm, by);
const list = (text: string, key: string): string =>
  `apiVersion: v1\nkind: List\n${key}:\n- ${indented(text, "  ").trimStart()}`;

function configMap(text: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: policy}\ndata:\n  policy.yaml: |\n${indented(text, "    ")}`;
}

export const HEAD_SLIPS: readonly Slip[] = [
  edit("an unknown version", "v1beta1", "v1", 1, "unknown-kind"),
  edit("no version", "/v1beta1", "", 1, "unknown-kind"),
  edit("a version with a space", "io/v1beta1", "io/ v1beta1", 1, "unknown-kind"),
  edit("the core group", /^apiVersion: .*/m, "apiVersion: v1", 1, "unknown-kind"),
  edit("HyperShift's other group", "karpenter.hypershift", "hypershift", 1, "unknown-kind"),
  edit("a group with a slip", "hypershift", "hypreshift", 1, "unknown-kind"),
  edit("a group with another ending", "openshift.io", "openshift.com", 1, "unknown-kind"),
  edit("slips in group and kind", /hypershift(.*)\n.*/m, "hypreshift$1\nkind: AutoNodePolcy", 1, "unknown-kind"),
  edit("a group in capitals", "hypershift", "HyperShift", 1, "unknown-kind"),
  edit("a number for the version", /^apiVersion: .*/m, "apiVersion: 1", 1, "unknown-kind"),
  edit("a kind with a slip", "AutoNodePolicy", "AutonodePolcy", 1, "unknown-kind"),
  edit("a kind in small letters", "AutoNodePolicy", "autonodepolicy", 1, "unknown-kind"),
  edit("a kind in the plural", "AutoNodePolicy", "AutoNodePolicies", 1, "unknown-kind"),
  edit("the kind of a list", "AutoNodePolicy", "AutoNodePolicyList", 1, "unknown-kind"),
  edit("a kind with a space", "AutoNodePolicy", '"AutoNodePolicy "', 1, "unknown-kind"),
  edit("no kind", "kind: AutoNodePolicy\n", "", 1, "unknown-kind"),
  edit("null for the kind", "AutoNodePolicy", "~", 1, "unknown-kind"),
  edit("another kind of the group", "AutoNodePolicy", "OpenshiftNodePool", 1, "wrapper-invalid"),
  edit("another name", "name: default", "name: defualt", 0, "policy-ignored"),
  edit("a name in capitals", "name: default", "name: Default", 0, "policy-ignored"),
  edit("a name with a space", "name: default", 'name: "default "', 0, "policy-ignored"),
  edit("no name", "  name: default\n", "", 0, "policy-ignored"),
  edit("null for the name", "name: default", "name:", 0, "policy-ignored"),
  edit("a number for the name", "name: default", "name: 1", 0, "policy-ignored"),
  edit("generateName", "name: default", "generateName: default", 0, "policy-ignored"),
  edit("no namespace", "  namespace: clusters-shop\n", "", 1, "policy-invalid"),
  edit("null for the namespace", "namespace: clusters-shop", "namespace:", 1, "policy-invalid"),
  edit("a number for the namespace", "namespace: clusters-shop", "namespace: 1", 1, "policy-invalid"),
  edit("a namespace in capitals", "clusters-shop", "Clusters-Shop", 1, "policy-invalid"),
  edit("a namespace with a path", "clusters-shop", "../clusters-shop", 1, "policy-invalid"),
  edit("no metadata", /metadata:\n.*\n.*\n/, "", 1, "policy-invalid"),
  edit("a list for the metadata", /metadata:\n.*\n.*\n/, "metadata: []\n", 1, "policy-invalid"),
];

export const POLICY_TEXT_SLIPS: readonly Slip[] = [
  edit("spec one step too deep", /\nspec:[^]*/, (text) => `\n${indented(text.slice(1), "  ")}`, 0, "policy-empty"),
];
