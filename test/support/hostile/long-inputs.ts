/** Generates long inputs that may be slow to process, of a given size, such as a pull request could contain. */

export interface LongInput {
  readonly name: string;
  readonly of: (size: number) => string;
}

const HEAD = `apiVersion: karpenter.hypershift.openshift.io/v1beta1
kind: OpenshiftNodePool
`;

const REFERENCE =
  "nodeClassRef: {group: karpenter.hypershift.openshift.io, kind: OpenshiftEC2NodeClass, name: default}";

/** A wrapper with parts as YAML text. */
function pool({
  labels = "{}",
  annotations = "{}",
  requirements = "[]",
  schedule = '"0 0 * * *"',
  name = "web",
  after = "",
}): string {
  return `${HEAD}metadata:
  name: ${name}
spec:
  disruption:
    consolidateAfter: 1m
    budgets:
      - nodes: "1"
        schedule: ${schedule}
        duration: 1h
  template:
    metadata:
      labels: ${labels}
      annotations: ${annotations}
    spec:
      ${REFERENCE}
      requirements: ${requirements}
${after}`;
}

const text = JSON.stringify;
const times = (part: string, size: number): string => part.repeat(Math.ceil(size / part.length));

/** Values that a pattern may backtrack over: one repeated character, then a mismatch. */
const VALUES: Readonly<Record<string, (size: number) => string>> = {
  "digits and a letter": (size) => `${times("1", size)}x`,
  "digits and lines under them": (size) => `${times("1_", size)}x`,
  zeros: (size) => `-0${times("0", size)}.e`,
  "line breaks": (size) => `a${times("\n", size)}b`,
  "line breaks at the end": (size) => `a\n${times("\n", size)}`,
  "lines of blanks": (size) => `a${times("\n ", size)}\u0000`,
  "carriage returns": (size) => `a${times("\r\n", size)}b`,
  blanks: (size) => `a${times(" ", size)}b`,
  "blanks alone": (size) => times(" ", size),
  "blanks and letters": (size) => `${times("a ", size)}\n`,
  tabs: (size) => `${times("\t", size)}x`,
  "colons and blanks": (size) => `a${times(": ", size)}`,
  slashes: (size) => `${times("/", size)}!`,
  dots: (size) => `${times("a.", size)}!`,
  dashes: (size) => `${times("a-", size)}!`,
  quotes: (size) => times("\"'", size),
  backslashes: (size) => times("\\", size),
  brackets: (size) => times("[", size),
  words: (size) => times("userData", size),
  "hard blanks": (size) => `x${times("\u00a0", size)}x`,
  emoji: (size) => times("👍", size),
  "control characters": (size) => times("\u009b", size),
  "half of a pair": (size) => times("\ud800", size),
};

const FIELDS: Readonly<Record<string, (value: string) => string>> = {
  annotation: (value) => pool({ annotations: `{a: ${text(value)}}` }),
  label: (value) => pool({ labels: `{a: ${text(value)}}` }),
  "label's name": (value) => pool({ labels: `\n        ? ${text(value)}\n        : b` }),
  schedule: (value) => pool({ schedule: text(value) }),
  duration: (value) => pool({ schedule: `"0 0 * * *"`, after: `  weight: ${text(value)}` }).replace("1h", text(value)),
  nodes: (value) => pool({}).replace('"1"', text(value)),
  key: (value) => pool({ requirements: `[{key: ${text(value)}, operator: Exists}]` }),
  value: (value) => pool({ requirements: `[{key: example.com/a, operator: In, values: [${text(value)}]}]` }),
  bound: (value) => pool({ requirements: `[{key: example.com/a, operator: Gt, values: [${text(value)}]}]` }),
  limit: (value) => pool({ after: `  limits: {cpu: ${text(value)}}` }),
  taint: (value) =>
    pool({ after: "" }).replace("requirements: []", `taints: [{key: a, value: ${text(value)}, effect: NoSchedule}]`),
  expiry: (value) => pool({}).replace("requirements: []", `expireAfter: ${text(value)}`),
  name: (value) => pool({ name: text(value) }),
  "unknown field": (value) => pool({ after: `  ? ${text(value)}\n  : 1` }),
};

/** Texts that are long because of their format. */
const TEXTS: Readonly<Record<string, (size: number) => string>> = {
  "an unclosed string of JSON": (size) => `{"kind": "${times('\\"', size)}`,
  "blanks in JSON": (size) => `{"kind"${times(" ", size)}x`,
  "quotes without an end": (size) => `a: "${times("b ", size)}`,
  "nested brackets": (size) => `a: ${times("[", size)}`,
  "nested braces": (size) => times("{a: ", size),
  "nested dashes": (size) => times("- ", size),
  "nested mappings": (size) => Array.from({ length: Math.sqrt(size) }, (_, at) => `${" ".repeat(at)}a:\n`).join(""),
  "a long list in brackets": (size) =>
    pool({ requirements: `[{key: example.com/a, operator: In, values: [${times("a, ", size)}]}]` }),
  "a list in brackets that never ends": (size) => `${HEAD}a: [${times("a, ", size)}`,
  "a list with a slip at its end": (size) => `${HEAD}a: [${times("a, ", size)} {]`,
  "many anchors": (size) => `a:\n${Array.from({ length: size / 12 }, (_, at) => `- &a${at} b\n- *a${at}\n`).join("")}`,
  "a long comment": (size) => `# ${times("- a: b ", size)}\n${pool({})}`,
  "many comments": (size) => `${pool({})}${times("#\n", size)}`,
  "comments in CRLF": (size) => `a:\r\n${times("#\r\n", size)}b`,
  "a key and comments": (size) => `${pool({})}${times("# a:\r\n", size)}`,
  "lines in CRLF": (size) => `${pool({}).replaceAll("\n", "\r\n")}${times("\r\n", size)}`,
  "empty lines": (size) => `${pool({})}${times("\n", size)}`,
  "lines of blanks": (size) => `${pool({})}${times("   \n", size)}`,
  "blanks at the end": (size) => `${pool({})}${times(" ", size)}`,
  "many documents": (size) => times("---\n", size) + pool({}),
  "many lists in one line": (size) => `${HEAD}metadata: {name: a}\nitems: [${times("{}, ", size)}]`,
  "a long line of JSON": (size) =>
    `{"apiVersion":"v1","kind":"List","items":[${times('{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"}},', size)}{}]}`,
  "a long block text": (size) => pool({ annotations: `\n        a: |\n${times("          b\n", size)}` }),
  "a folded text": (size) => pool({ annotations: `\n        a: >\n${times("          b\n\n", size)}` }),
  "many slips": (size) => pool({ after: Array.from({ length: size / 20 }, (_, at) => `  wrong${at}: 1\n`).join("") }),
  "many slips in one line": (size) =>
    pool({ after: `  limits: {${Array.from({ length: size / 20 }, (_, at) => `a${at}: {}`).join(", ")}}` }),
  "many requirements": (size) =>
    pool({ requirements: `\n${times("      - {key: example.com/a, operator: In, values: [a]}\n", size)}` }),
  "many labels": (size) =>
    pool({ labels: `{${Array.from({ length: size / 14 }, (_, at) => `a${at}: ""`).join(", ")}}` }),
  "user data in words": (size) =>
    `apiVersion: karpenter.hypershift.openshift.io/v1\nkind: OpenshiftEC2NodeClass\nmetadata: {name: a}\nspec:\n  # ${times("userData ", size)}\n`,
  "a tag": (size) => `a: !${times("a", size)} b`,
  "a directive": (size) => `%${times("A ", size)}\n---\na: b`,
  "signs of YAML": (size) => times("? - : ", size),
  tabs: (size) => times("\t", size),
  "no YAML": (size) => times("}", size),
};

export const FIELD_INPUTS: readonly LongInput[] = Object.entries(FIELDS).flatMap(([field, write]) =>
  Object.entries(VALUES).map(([name, of]) => ({ name: `${field}: ${name}`, of: (size: number) => write(of(size)) })),
);

export const TEXT_INPUTS: readonly LongInput[] = Object.entries(TEXTS).map(([name, of]) => ({ name, of }));
