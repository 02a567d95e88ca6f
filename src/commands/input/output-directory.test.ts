/** Files that anp may replace or remove: those with exactly one object that carries both marks. */
import { expect, it } from "vitest";
import { stringify } from "yaml";
import { marks } from "../../model/objects/marks.ts";
import { isEarlierOutputFile } from "./output-directory.ts";

const OURS = {
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name: "web", ...marks("OpenshiftNodePool", "web") },
};
const ours = stringify(OURS);
const without = (field: "labels" | "annotations") =>
  stringify({ ...OURS, metadata: { ...OURS.metadata, [field]: {} } });

it.each([
  ["one object with both marks", ours, true],
  ["the same with separators and comments", `# x\n---\n${ours}---\n# y\n`, true],
  ["the same as JSON", JSON.stringify(OURS), true],
  ["any kind with both marks", ours.replace("NodePool", "ConfigMap"), true],
  ["a NodePool of users with the record", without("labels").replace("rendered-from", "policy-entries"), true],
  [
    "another kind with the record",
    without("labels").replace("rendered-from", "policy-entries").replace("NodePool", "EC2NodeClass"),
    false,
  ],
  ["nothing", "", false],
  ["a comment", "# x\n", false],
  ["no label", without("labels"), false],
  ["no annotation", without("annotations"), false],
  ["another manager", ours.replace("managed-by: anp", "managed-by: helm"), false],
  ["a label that only starts so", ours.replace("managed-by: anp", "managed-by: anpx"), false],
  ["an annotation that is no text", ours.replace("OpenshiftNodePool/web", "1"), false],
  ["two objects of ours", `${ours}---\n${ours}`, false],
  [
    "a second object that anp did not make",
    `${ours}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n`,
    false,
  ],
  ["a second document that is no object", `${ours}---\nx: 1\n`, false],
  ["a second document that is text", `${ours}---\nx\n`, false],
  ["ours in a List", stringify({ apiVersion: "v1", kind: "List", items: [OURS] }), true],
  ["two of ours in a List", stringify({ apiVersion: "v1", kind: "List", items: [OURS, OURS] }), false],
  ["broken YAML", `${ours}x: [\n`, false],
  ["a key twice", `${ours}kind: NodePool\n`, false],
  ["no kind", stringify({ metadata: OURS.metadata }), false],
])("%s", (_what, text, expected) => {
  expect(isEarlierOutputFile(text)).toBe(expected);
});
