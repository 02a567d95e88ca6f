/** Tests a Secret broken by an edit: no output of anp contains a part of the token. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { run } from "../../support/golden/case.ts";
import { base64 } from "../../support/property/documents.ts";
import { keepsSecrets } from "../../support/property/render-properties.ts";

const TOKEN = "Zq8TfPw3LmXv7RkHd2BnYc5JsGe9UaWt";
/** YAML reads it as a number if it is not quoted. */
const DIGITS = "73019284650182736455";
const secretsOf = (...tokens: readonly string[]) =>
  tokens.map((token) => ({ nodeClass: "default", token, text: `Bearer ${token}`, encoded: false }));

const HEAD = `apiVersion: v1
kind: Secret
metadata:
  name: user-data-default
  namespace: clusters-shop
  labels:
    hypershift.openshift.io/managed-by-karpenter: "true"
    hypershift.openshift.io/ami: ami-0a1b2c3d
  annotations:
    hypershift.openshift.io/nodePool: clusters-shop/default-karpenter
`;

const REST = `apiVersion: karpenter.hypershift.openshift.io/v1beta1
kind: AutoNodePolicy
metadata: {name: default, namespace: clusters-shop}
---
apiVersion: karpenter.hypershift.openshift.io/v1
kind: OpenshiftEC2NodeClass
metadata: {name: default}
spec: {monitoring: Basic}
`;

const json = (object: unknown): string => `${JSON.stringify(object)}\n`;
const withoutName = HEAD.replace("  name: user-data-default\n", "");
const lines = `  value: |\n    first\n    Bearer ${TOKEN}\n`;

/** The content of the file, and the exit code of rendering it. */
const SLIPS: readonly [what: string, text: string, exit: number][] = [
  ["in order, plain", `${HEAD}stringData:\n  value: Bearer ${TOKEN}\n`, 0],
  ["in order, base64", `${HEAD}data:\n  value: ${base64(`Bearer ${TOKEN}`)}\n`, 0],
  ["in order, several lines", `${HEAD}stringData:\n${lines}`, 0],
  ["in order, folded", `${HEAD}stringData:\n  value: >-\n    Bearer\n    ${TOKEN}\n`, 0],
  [
    "base64 over two lines",
    `${HEAD}data:\n  value: |\n    ${base64(TOKEN).slice(0, 20)}\n    ${base64(TOKEN).slice(20)}\n`,
    1,
  ],
  ["plain text where base64 belongs", `${HEAD}data:\n  value: Bearer ${TOKEN}\n`, 1],
  ["a number where text belongs", `${HEAD}stringData:\n  value: ${DIGITS}\n`, 1],
  ["a number where base64 belongs", `${HEAD}data:\n  value: ${DIGITS}\n`, 1],
  ["a number where the mapping belongs", `${HEAD}data: ${DIGITS}\n`, 1],
  ["a list where text belongs", `${HEAD}stringData:\n  value: [Bearer, ${TOKEN}]\n`, 1],
  ["a mapping where text belongs", `${HEAD}stringData:\n  value:\n    Bearer: ${TOKEN}\n`, 1],
  ["text where the mapping belongs", `${HEAD}stringData: Bearer ${TOKEN}\n`, 1],
  ["the token as a key", `${HEAD}stringData:\n  ${TOKEN}: value\n`, 0],
  ["the token as a key of the object", `${HEAD}${TOKEN}: value\n`, 0],
  ["twice the same key", `${HEAD}stringData:\n  value: a\n  value: Bearer ${TOKEN}\n`, 3],
  ["the token as a key, twice", `${HEAD}stringData:\n  ${TOKEN}: a\n  ${TOKEN}: b\n`, 3],
  ["a tab", `${HEAD}stringData:\n\tvalue: Bearer ${TOKEN}\n`, 3],
  ["not indented", `${HEAD}stringData:\nvalue: Bearer ${TOKEN}\n`, 0],
  ["a block that is not indented", `${HEAD}stringData:\n  value: |\nBearer ${TOKEN}\n`, 3],
  ["JSON that is not indented", `${HEAD}stringData:\n  value: |\n{"token": "${TOKEN}"}\n`, 3],
  ["a list that is not indented", `${HEAD}stringData:\n  value: |\n- Bearer ${TOKEN}\n- more\n`, 3],
  ["a separator in the block", `${HEAD}stringData:\n  value: |\n    first\n---\nBearer ${TOKEN}\n`, 3],
  ["a mapping after a separator", `${HEAD}stringData:\n  value: |\n    first\n---\nvalue: Bearer ${TOKEN}\n`, 3],
  ["a document end in the block", `${HEAD}stringData:\n  value: |\n    first\n...\nBearer ${TOKEN}\n`, 3],
  ["a quote that is not closed", `${HEAD}stringData:\n  value: "Bearer ${TOKEN}\n`, 3],
  ["a brace that is not closed", `${HEAD}stringData: {value: Bearer ${TOKEN}\n`, 3],
  ["a colon too much", `${HEAD}stringData:\n  value: Authorization: Bearer ${TOKEN}\n`, 3],
  ["an alias that is not there", `${HEAD}stringData:\n  value: *${TOKEN}\n`, 3],
  ["an anchor that is", `${HEAD}stringData:\n  value: &${TOKEN} text\n`, 0],
  ["a tag", `${HEAD}stringData:\n  value: !${TOKEN} text\n`, 3],
  ["no separator before the next object", `${HEAD}stringData:\n  value: Bearer ${TOKEN}\n${REST}`, 3],
  ["no name", `${withoutName}stringData:\n  value: Bearer ${TOKEN}\n`, 0],
  ["no AMI", `${HEAD.replace("hypershift.openshift.io/ami:", "ami:")}stringData:\n  value: Bearer ${TOKEN}\n`, 1],
  ["a number for an AMI", `${HEAD.replace("ami-0a1b2c3d", "17")}stringData:\n  value: Bearer ${TOKEN}\n`, 1],
  ["given twice", `${HEAD}stringData:\n  value: x\n---\n${HEAD}stringData:\n  value: Bearer ${TOKEN}\n`, 1],
  ["a kind that starts small", `${HEAD.replace("Secret", "secret")}stringData: Bearer ${TOKEN}\n  more: x\n`, 3],
  ["a kind with quotes", `${HEAD.replace("Secret", '"Secret"')}stringData:\n  value: {${TOKEN}\n`, 3],
  ["a kind with a tag", `${HEAD.replace("Secret", "!!str Secret")}stringData:\n  value: {${TOKEN}\n`, 3],
  ["a kind that comes later", `data:\n  value: {${TOKEN}\n${HEAD}`, 3],
  ["in a List", json({ apiVersion: "v1", kind: "List", items: [{ kind: "Secret", data: TOKEN }] }), 3],
  ["JSON with a comma too much", `{"apiVersion": "v1", "kind": "Secret", "data": {"value": "${TOKEN}",}, }}\n`, 3],
];

const folder = mkdtempSync(join(tmpdir(), "anp-secret-"));
afterAll(() => rmSync(folder, { recursive: true }));

test.each(SLIPS)("%s", async (_what, text, exit) => {
  const file = join(folder, "secret.yaml");
  writeFileSync(file, text);
  for (const args of [
    ["render", "-", file],
    ["render", "-", folder],
    ["render", "-", file, "--report", "json"],
  ]) {
    const result = await run(folder, args, REST);
    keepsSecrets({ userData: secretsOf(TOKEN, DIGITS) }, result);
  }
  expect((await run(folder, ["render", "-", file], REST)).exit).toBe(exit);
});

test.each([
  ["plain", `stringData:\n  value: "Bearer ${TOKEN}"\n`],
  ["base64", `data:\n  value: ${base64(`Bearer ${TOKEN}`)}\n`],
])("user data that is asked for goes to standard output and nowhere else: %s", async (_what, data) => {
  const input = `${HEAD}${data}---\n${REST}`;
  const asked = await run(folder, ["render", "-", "--include-user-data"], input);
  expect(asked.exit).toBe(0);
  expect(asked.stdout).toContain(`userData: Bearer ${TOKEN}\n`);
  keepsSecrets({ userData: secretsOf(TOKEN) }, { ...asked, stdout: "" });
  // Its class is refused, and the finding does not quote the user data.
  const refused = await run(
    folder,
    ["render", "-", "--include-user-data"],
    input.replace("Basic", "Basic, x: 1").replace("ami-0a1b2c3d", "no-ami"),
  );
  expect(refused.exit).toBe(1);
  keepsSecrets({ userData: secretsOf(TOKEN) }, refused);
});
