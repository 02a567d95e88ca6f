/** Random Terraform files with one field of a pool, which is written in a heredoc, object, template or variable. */
import fc from "fast-check";

/** A field with values that Karpenter takes, and one that it refuses. */
interface Field {
  readonly path: string;
  readonly good: readonly [string, string];
  readonly bad: string;
}

const FIELDS: readonly Field[] = [
  { path: "spec.template.spec.expireAfter", good: ["720h", "336h"], bad: "12x" },
  { path: "spec.template.spec.terminationGracePeriod", good: ["24h", "48h"], bad: "1 day" },
  { path: "spec.template.spec.requirements.operator", good: ["In", "NotIn"], bad: "Inn" },
  { path: "spec.template.spec.requirements.value", good: ["c7i", "c6i"], bad: "c7iz" },
  { path: "spec.template.spec.taints.effect", good: ["NoSchedule", "NoExecute"], bad: "NoSched" },
  { path: "spec.limits.cpu", good: ["100", "200"], bad: "1x" },
  { path: "spec.disruption.consolidateAfter", good: ["30s", "60s"], bad: "30y" },
  { path: "spec.disruption.budgets.nodes", good: ["10%", "20%"], bad: "10x" },
];

export interface ChangedFiles {
  /** By name: with the first value, with another one, and with one that is refused. */
  readonly old: Files;
  readonly changed: Files;
  readonly refused: Files;
  /** Where the value is written. */
  readonly at: Place;
  /** Where the entry or list begins that the value is in: changes of lists stand there. */
  readonly entry: Place | undefined;
}

type Files = Readonly<Record<string, string>>;

const LAYOUTS = ["heredoc", "object", "yamlencode", "templatefile"] as const;
type Layout = (typeof LAYOUTS)[number];

export const changedFiles: fc.Arbitrary<ChangedFiles> = fc
  .record({
    layout: fc.constantFrom(...LAYOUTS),
    changed: fc.nat({ max: FIELDS.length - 1 }),
    /** Whether each is the default of a variable. */
    inVariable: fc.array(fc.boolean(), { minLength: FIELDS.length, maxLength: FIELDS.length }),
    /** Lines before each. */
    blank: fc.array(fc.nat({ max: 2 }), { minLength: FIELDS.length, maxLength: FIELDS.length }),
    indent: fc.boolean(),
  })
  .map(({ layout, changed, inVariable, blank, indent }) => {
    const field = FIELDS[changed]!;
    const filesWith = (value: string): Written => {
      const values = FIELDS.map(({ good }, index) => (index === changed ? value : good[0]));
      return write(layout, values, inVariable, blank, indent);
    };
    const [first, second] = field.good;
    const old = filesWith(first);
    const [at, entry] = [old.places[changed]!, old.entries[changed]];
    return { old: old.files, changed: filesWith(second).files, refused: filesWith(field.bad).files, at, entry };
  });

interface Place {
  readonly file: string;
  readonly line: number;
}

interface Written {
  readonly files: Files;
  readonly places: readonly Place[];
  readonly entries: readonly (Place | undefined)[];
}

function write(
  layout: Layout,
  values: readonly string[],
  inVariable: readonly boolean[],
  blank: readonly number[],
  indent: boolean,
): Written {
  const isYaml = layout === "heredoc" || layout === "templatefile";
  const places: Place[] = [];
  const entries: (Place | undefined)[] = [];
  let entry: Place | undefined;
  const variables: string[] = ['variable "cluster" {}'];
  for (const [index, value] of values.entries()) {
    if (inVariable[index] !== true) continue;
    variables.push(...Array.from({ length: blank[index]! }, () => "# a comment"), `variable "f${index}" {`);
    variables.push("  type = string", `  default = ${JSON.stringify(value)}`, "}");
    places[index] = { file: "variables.tf", line: variables.length - 1 };
  }
  const written = (index: number): string => {
    const value = values[index]!;
    if (inVariable[index] !== true) return isYaml && !/^[\d%]/.test(value) ? value : JSON.stringify(value);
    const name = `${layout === "templatefile" ? "" : "var."}f${index}`;
    return isYaml ? `"\${${name}}"` : name;
  };
  const body = (isYaml ? yamlLines : hclLines)(written);
  const file = layout === "templatefile" ? "pool.tftpl" : "main.tf";
  const lines: string[] = layout === "templatefile" ? [] : [...OPENINGS[layout]];
  const margin = layout === "heredoc" && indent ? "    " : "";
  for (const { text, index, begins } of body) {
    if (index !== undefined) for (let count = blank[index]!; count > 0; count--) lines.push(`${margin}# a comment`);
    lines.push(margin + text);
    if (begins !== undefined) entry = begins ? { file, line: lines.length } : undefined;
    if (index === undefined) continue;
    places[index] ??= { file, line: lines.length };
    entries[index] = entry;
  }
  if (layout !== "templatefile") lines.push(...CLOSINGS[layout]);
  const given = values.flatMap((_, index) => (inVariable[index] ? [`f${index} = var.f${index}`] : []));
  const files: Files = {
    [file]: `${lines.join("\n")}\n`,
    "variables.tf": `${variables.join("\n")}\n`,
    ...(layout === "templatefile"
      ? {
          "main.tf": `resource "kubectl_manifest" "karpenter" {\n  yaml_body = templatefile("\${path.module}/pool.tftpl", { ${given.join(", ")} })\n}\n`,
        }
      : {}),
  };
  return { files, places, entries };
}

const RESOURCE = 'resource "kubectl_manifest" "karpenter" {';
const OPENINGS = {
  heredoc: [RESOURCE, "  yaml_body = <<-YAML"],
  object: ['resource "kubernetes_manifest" "karpenter" {', "  manifest = {"],
  yamlencode: [RESOURCE, "  yaml_body = yamlencode({"],
} as const;
const CLOSINGS = { heredoc: ["  YAML", "}"], object: ["  }", "}"], yamlencode: ["  })", "}"] } as const;

interface Line {
  readonly text: string;
  /** The field whose value it has. */
  readonly index?: number;
  /** Whether an entry of a list begins or ends here. */
  readonly begins?: boolean;
}

function yamlLines(written: (index: number) => string): Line[] {
  return [
    { text: "apiVersion: karpenter.sh/v1" },
    { text: "kind: NodePool" },
    { text: "metadata: {name: web}" },
    { text: "spec:" },
    { text: "  template:" },
    { text: "    spec:" },
    { text: "      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}" },
    { text: `      expireAfter: ${written(0)}`, index: 0 },
    { text: `      terminationGracePeriod: ${written(1)}`, index: 1 },
    { text: "      requirements:" },
    { text: "        - key: karpenter.k8s.aws/instance-family", begins: true },
    { text: `          operator: ${written(2)}`, index: 2 },
    { text: "          values:", begins: true },
    { text: `            - ${written(3)}`, index: 3 },
    { text: "      taints:" },
    { text: "        - key: shared", begins: true },
    { text: `          effect: ${written(4)}`, index: 4 },
    { text: "  limits:", begins: false },
    { text: `    cpu: ${written(5)}`, index: 5 },
    { text: "  disruption:" },
    { text: `    consolidateAfter: ${written(6)}`, index: 6 },
    { text: "    budgets:" },
    { text: `      - nodes: ${written(7)}`, index: 7, begins: true },
  ];
}

function hclLines(written: (index: number) => string): Line[] {
  return [
    { text: 'apiVersion = "karpenter.sh/v1"' },
    { text: 'kind = "NodePool"' },
    { text: 'metadata = { name = "web" }' },
    { text: "spec = {" },
    { text: "template = {" },
    { text: "spec = {" },
    { text: 'nodeClassRef = { group = "karpenter.k8s.aws", kind = "EC2NodeClass", name = "default" }' },
    { text: `expireAfter = ${written(0)}`, index: 0 },
    { text: `terminationGracePeriod = ${written(1)}`, index: 1 },
    { text: "requirements = [{" },
    { text: 'key = "karpenter.k8s.aws/instance-family"', begins: true },
    { text: `operator = ${written(2)}`, index: 2 },
    { text: "values = [", begins: true },
    { text: `${written(3)},`, index: 3 },
    { text: "]" },
    { text: "}]" },
    { text: "taints = [{" },
    { text: 'key = "shared"', begins: true },
    { text: `effect = ${written(4)}`, index: 4 },
    { text: "}]" },
    { text: "}" },
    { text: "}" },
    { text: "limits = {", begins: false },
    { text: `cpu = ${written(5)}`, index: 5 },
    { text: "}" },
    { text: "disruption = {" },
    { text: `consolidateAfter = ${written(6)}`, index: 6 },
    { text: "budgets = [{" },
    { text: `nodes = ${written(7)}`, index: 7, begins: true },
    { text: "}]" },
    { text: "}" },
    { text: "}" },
  ];
}
