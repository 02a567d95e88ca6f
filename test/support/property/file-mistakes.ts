/** Lists mistakes with the policy's file: its place, name and format. */
import { move, POLICY_FILE, type Mistake, write } from "./mistakes.ts";

const utf16 = (text: string, mark: readonly number[]): Uint8Array =>
  Buffer.concat([Uint8Array.from(mark), Buffer.from(text, "utf16le")]);

export const FILE_MISTAKES: readonly Mistake[] = [
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
  write("cut off in the middle", (text) => text.slice(0, text.indexOf("volumeSize") + 3), 1, "policy-invalid"),
  write("cut off after the metadata", (text) => text.slice(0, text.indexOf("spec:")), 0, "policy-empty"),
  write("with a tab", (text) => text.replace("  rootVolume", "\trootVolume"), 3, "yaml-syntax"),
  write("with a merge conflict", (text) => `<<<<<<< HEAD\n${text}=======\n>>>>>>> main\n`, 3, "yaml-syntax"),
  write("as a template", (text) => text.replace("100Gi", "{{ .size }}"), 3, "yaml-syntax"),
  write("given twice", (text) => `${text}---\n${text}`, 1, "policy-duplicate"),
  write("given twice without a separator", (text) => `${text}${text}`, 3, "yaml-duplicate-key"),
  write("with a separator inside", (text) => text.replace("spec:", "---\nspec:"), 0, "policy-empty"),
  write("with an end marker inside", (text) => text.replace("spec:", "...\nspec:"), 0, "policy-empty"),
  write("in a List", (text) => list(text, "items"), 0, "holds"),
  write("in a List without items", (text) => list(text, "itmes"), 3, "not-krm"),
  write("as a text in a ConfigMap", configMap, 0, "absent"),
];

const indented = (text: string, by: string): string => text.replaceAll(/^(?=.)/gm, by);
const list = (text: string, key: string): string =>
  `apiVersion: v1\nkind: List\n${key}:\n- ${indented(text, "  ").trimStart()}`;

function configMap(text: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: policy}\ndata:\n  policy.yaml: |\n${indented(text, "    ")}`;
}
