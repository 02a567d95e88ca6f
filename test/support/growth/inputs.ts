/** Inputs with many of one thing each: wrappers, hosted clusters, changes and older objects. */
import { policy } from "../process/inputs.ts";
import type { FilesOf } from "./growing.ts";

const GROUP = "karpenter.hypershift.openshift.io";

export const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `${line(index)}\n`).join("");

export const list = (count: number, item: (index: number) => string): string =>
  `[${Array.from({ length: count }, (_, index) => item(index)).join(", ")}]`;

export const documents = (count: number, document: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => document(index)).join("---\n");

interface Parts {
  readonly name?: string;
  readonly metadata?: string;
  readonly requirements?: string;
  readonly nodeClass?: string;
  /** Fields of `spec`. */
  readonly more?: string;
}

export const pool = ({
  name = "web",
  metadata = "",
  requirements = "[]",
  nodeClass = "default",
  more = "",
}: Parts = {}) =>
  `apiVersion: ${GROUP}/v1beta1
kind: OpenshiftNodePool
metadata:
  name: ${name}
spec:
${more}  template:
${metadata}    spec:
      nodeClassRef:
        group: ${GROUP}
        kind: OpenshiftEC2NodeClass
        name: ${nodeClass}
      requirements: ${requirements}
`;

const nodeClass = (name = "default", spec = "  monitoring: Basic\n") =>
  `apiVersion: ${GROUP}/v1
kind: OpenshiftEC2NodeClass
metadata:
  name: ${name}
spec:
${spec}`;

export const inOf = (values: string, key = "node.kubernetes.io/instance-type", operator = "In") =>
  `[{key: ${key}, operator: ${operator}, values: ${values}}]`;

const annotations = (count: number, value = "v") =>
  `    metadata:\n      annotations:\n        first: v\n${lines(count, (at) => `        example.com/a${at}: ${value}`)}`;

const labels = (value: string) => `    metadata:\n      labels:\n        example.com/team: ${value}\n`;

/** Only the library reads a text with this end. */
const byTheLibrary = (text: string) => `${text}...\n`;

export const site = (pools: string, classes = nodeClass()) => ({
  "policy.yaml": policy(),
  "class.yaml": classes,
  "pools.yaml": pools,
});

const unknown = (count: number) => lines(count, (at) => `  wrong${at}: 1`);

const spec = (name: string, field: string) => ({ metadata: { name }, spec: { [field]: 1, template: { spec: {} } } });

export const WRAPPERS: Readonly<Record<string, FilesOf>> = {
  "unknown fields": (count) => site(pool({ more: unknown(count) })),
  "unknown fields that the library reads": (count) => site(byTheLibrary(pool({ more: unknown(count) }))),
  "unknown fields in braces": (count) =>
    site(pool({ more: `  wrong: {${list(count, (at) => `a${at}: 1`).slice(1, -1)}}\n` })),
  "unknown fields of a kubelet": (count) =>
    site(pool(), nodeClass("default", `  kubelet:\n${lines(count, (at) => `    wrong${at}: 1`)}`)),
  "settings of a kubelet": (count) =>
    site(
      pool(),
      nodeClass("default", `  kubelet:\n    evictionHard:\n${lines(count, (at) => `      signal${at}: 5%`)}`),
    ),
  "unknown fields of a class": (count) => site(pool(), nodeClass("default", unknown(count))),
  annotations: (count) => site(pool({ metadata: annotations(count) })),
  "annotations that the library reads": (count) => site(byTheLibrary(pool({ metadata: annotations(count) }))),
  aliases: (count) => site(pool({ metadata: annotations(count, "*x").replace("first: v", "first: &x v") })),
  limits: (count) =>
    site(pool({ more: `  limits:\n    cpu: 1\n${lines(count, (at) => `    example.com/a${at}: 1`)}` })),
  values: (count) => site(pool({ requirements: inOf(list(count, (at) => `m5.x${at}large`)) })),
  "values that are excluded": (count) =>
    site(
      pool({
        requirements: inOf(
          list(count, (at) => `m5.x${at}large`),
          undefined,
          "NotIn",
        ),
      }),
    ),
  "values that are none": (count) => site(pool({ requirements: inOf(list(count, (at) => `"v ${at}"`)) })),
  "entries above the limit": (count) =>
    site(pool({ requirements: list(count + 101, (at) => `{key: example.com/a${at}, operator: Exists}`) })),
  tags: (count) => site(pool(), nodeClass("default", `  tags:\n${lines(count, (at) => `    a${at}: b`)}`)),
  pools: (count) => site(documents(count, (at) => pool({ name: `p${at}` }))),
  "pools on one line": (count) => ({
    ...site(""),
    "pools.yaml": JSON.stringify({
      apiVersion: "v1",
      kind: "List",
      items: Array.from({ length: count }, (_, at) => {
        return { apiVersion: `${GROUP}/v1beta1`, kind: "OpenshiftNodePool", ...spec(`p${at}`, "wrong") };
      }),
    }),
  }),
  "pools with classes": (count) =>
    site(
      documents(count, (at) => pool({ name: `p${at}`, nodeClass: `c${at}` })),
      documents(count, (at) => nodeClass(`c${at}`)),
    ),
  "pools that lack their classes": (count) =>
    site(
      documents(count, (at) => pool({ name: `p${at}`, nodeClass: `missing-${at}` })),
      documents(count, (at) => nodeClass(`given-${at}`)),
    ),
  files: (count) => ({
    ...site(pool()),
    ...Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`pools/p${at}.yaml`, pool({ name: `p${at}`, more: unknown(1) })]),
    ),
  }),
  documents: (count) => site(`${documents(count, () => "# nothing\n")}---\n${pool()}`),
  "other objects": (count) =>
    site(`${documents(count, (at) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a${at}\n`)}---\n${pool()}`),
};

const extending = (at: number, path: string) => `apiVersion: anp.hypershift.openshift.io/v1alpha1
kind: RenderConfig
spec: {hostedCluster: {namespace: clusters-c${at}}, paths: [../../c${at}], extends: ${path}}
`;

/** Rules in one folder, which is the policy directory. */
const extended = (count: number, pathOf: (at: number) => string, more: (at: number) => Record<string, string>) =>
  Object.assign(
    { "rules/policy/base.yaml": policy("x").replace(", namespace: x", "") },
    ...Array.from({ length: count }, (_, at) => ({
      [`rules/policy/c${at}.yaml`]: extending(at, pathOf(at)),
      [`c${at}/pool.yaml`]: pool(),
      ...more(at),
    })),
  ) as Record<string, string>;

/** Hosted clusters whose RenderConfigs extend policies. */
export const EXTENDING: Readonly<Record<string, FilesOf>> = {
  "hosted clusters that extend one policy": (count) =>
    extended(
      count,
      () => "base.yaml",
      () => ({}),
    ),
  "hosted clusters that extend a policy each": (count) =>
    extended(
      count,
      (at) => `base${at}.yaml`,
      (at) => ({
        [`rules/policy/base${at}.yaml`]: policy("x").replace(", namespace: x", ""),
        [`rules/policy/own${at}.yaml`]: policy(`clusters-o${at}`),
      }),
    ),
  "hosted clusters that extend a missing policy": (count) =>
    extended(
      count,
      (at) => `bse${at}.yaml`,
      () => ({}),
    ),
};

export const CLUSTERS: Readonly<Record<string, FilesOf>> = {
  "hosted clusters": (count) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        [`c${at}/policy/policy.yaml`, policy(`clusters-c${at}`)],
        [`c${at}/pool.yaml`, pool()],
      ]).flat() as [string, string][],
    ),
};

/** Two sides. */
function sides(old: Readonly<Record<string, string>>, now: typeof old): Record<string, string> {
  const below = (folder: string, files: typeof old) =>
    Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]);
  return Object.fromEntries([...below("old", old), ...below("new", now)]) as Record<string, string>;
}

export const CHANGES: Readonly<Record<string, FilesOf>> = {
  annotations: (count) =>
    sides(site(pool({ metadata: annotations(count) })), site(pool({ metadata: annotations(count, "w") }))),
  tags: (count) => {
    const tags = (value: string) => nodeClass("default", `  tags:\n${lines(count, (at) => `    a${at}: ${value}`)}`);
    return sides(site(pool(), tags("b")), site(pool(), tags("c")));
  },
  limits: (count) => {
    const limits = (amount: number) =>
      pool({ more: `  limits:\n${lines(count, (at) => `    example.com/a${at}: ${amount}`)}` });
    return sides(site(limits(1)), site(limits(2)));
  },
  pools: (count) => {
    const pools = (value: string) => documents(count, (at) => pool({ name: `p${at}`, metadata: labels(value) }));
    return sides(site(pools("a")), site(pools("b")));
  },
  classes: (count) => {
    const pools = documents(count, (at) => pool({ name: `p${at}`, nodeClass: `c${at}` }));
    const classes = (value: string) => documents(count, (at) => nodeClass(`c${at}`, `  monitoring: ${value}\n`));
    return sides(site(pools, classes("Basic")), site(pools, classes("Detailed")));
  },
  "hosted clusters": (count) => {
    const side = (value: string) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [
          [`c${at}/policy.yaml`, policy(`clusters-c${at}`)],
          [`c${at}/pool.yaml`, pool({ metadata: labels(value) })],
        ]).flat() as [string, string][],
      );
    return sides(side("a"), side("b"));
  },
};

const older = (name: string, spec: string) =>
  `apiVersion: karpenter.sh/v1beta1
kind: NodePool
metadata:
  name: ${name}
spec:
${spec}  template:
    spec:
      nodeClassRef:
        name: ${name}
      requirements: []
`;

const olderClass = (name: string) =>
  `apiVersion: karpenter.k8s.aws/v1beta1
kind: EC2NodeClass
metadata:
  name: ${name}
spec:
  amiFamily: AL2023
  role: KarpenterNodeRole
  subnetSelectorTerms:
    - tags: {karpenter.sh/discovery: shop}
  securityGroupSelectorTerms:
    - tags: {karpenter.sh/discovery: shop}
`;

export const OLDER: Readonly<Record<string, FilesOf>> = {
  "pools and classes": (count) => ({
    "pools.yaml": documents(count, (at) => older(`p${at}`, "")),
    "classes.yaml": documents(count, (at) => olderClass(`p${at}`)),
  }),
  "pools in a list": (count) => ({
    "pools.yaml": `apiVersion: v1\nkind: List\nitems:\n${Array.from({ length: count }, (_, at) => `- ${older(`p${at}`, "").trimEnd().replaceAll("\n", "\n  ")}\n`).join("")}`,
  }),
  "unknown fields": (count) => ({ "pools.yaml": older("web", unknown(count)) }),
};
