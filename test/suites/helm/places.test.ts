/** Places of findings and changes in the templates and values of charts, with a real helm. */
import { describe, expect, it } from "vitest";
import { runnerWithHelm } from "../../support/helm/with-helm.ts";
import { type Random, randomOf } from "../../support/plan-worlds/random.ts";
import { folderWith } from "../../support/process/inputs.ts";
import { repository } from "../../support/process/repositories.ts";

const run = runnerWithHelm();

type Files = Record<string, string>;

/** A field of a file that tests change. */
interface Slot {
  readonly file: string;
  readonly value: string;
  readonly kind: "limit" | "weight" | "label";
}

const LITERAL_POOL = (at: number): string => `---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: literal${at}
spec:
  {{- if .Values.weighted }}
  weight: ${10 + at} # weight${at}
  {{- else }}
  weight: 1
  {{- end }}
  limits:
    cpu: ${100 + at} # cpu${at}
    memory: ${200 + at}Gi # memory${at}
  template:
    metadata:
      labels:
        {{- include "pools.labels" . | nindent 8 }}
        example.com/own: own${at} # own${at}
    spec:
      {{- include "pools.spec" . | nindent 6 }}
`;

const TEMPLATE = `{{- if .Values.enabled }}
${[0, 1, 2, 3].map(LITERAL_POOL).join("")}{{- range $name, $pool := .Values.nodePools }}
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: {{ $name }}
spec:
  weight: {{ $pool.weight }}
  limits:
    {{- toYaml $pool.limits | nindent 4 }}
  template:
    metadata:
      labels:
        {{- include "pools.labels" $ | nindent 8 }}
        {{- with $pool.labels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      {{- include "pools.spec" $ | nindent 6 }}
{{- end }}
{{- range .Values.list }}
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: "{{ $.Values.prefix }}-{{ .name }}"
spec:
  weight: {{ .weight | default 7 }}
  limits:
    cpu: {{ .limits.cpu | quote }}
    memory: {{ .limits.memory }}
  template:
    metadata:
      labels:
        example.com/item: {{ .label | quote }}
    spec:
      {{- include "pools.spec" $ | nindent 6 }}
{{- end }}
{{- end }}
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: single
spec:
  weight: {{ .Values.single.weight }}
  limits:
    cpu: {{ .Values.single.cpu }}
    nodes: {{ .Values.single.nodes | int }}
  template:
    metadata:
      labels: {example.com/single: {{ .Values.single.label | quote }}}
    spec:
      {{- include "pools.spec" . | nindent 6 }}
`;

const HELPERS = `{{/* Labels of all pools, with }} in a comment. */}}
{{- define "pools.labels" -}}
example.com/all: everyone # everyone9
{{- end }}
{{- define "pools.spec" -}}
nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
terminationGracePeriod: 24h
requirements:
  - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
  {{- range .Values.requirements }}
  - key: {{ .key }}
    operator: {{ .operator }}
    values: {{ toJson .values }}
  {{- end }}
{{- end }}
`;

const MAP_POOL = (at: number): string => `  map${at}:
    weight: ${30 + at} # weight${at}
    limits:
      cpu: ${300 + at} # cpu${at}
      memory: ${400 + at}Gi # memory${at}
    labels:
      example.com/team: team${at} # team${at}
      example.com/own: mine${at} # mine${at}
`;
const LIST_POOL = (at: number): string => `  - name: item${at}
    weight: ${50 + at} # weight${at}
    limits:
      cpu: ${500 + at} # cpu${at}
      memory: ${600 + at}Gi # memory${at}
    label: item-${at} # item${at}
`;
const VALUES = `enabled: true
weighted: true
prefix: listed
requirements:
  - {key: kubernetes.io/arch, operator: In, values: [amd64]}
  - {key: example.com/tier, operator: In, values: [a, b]}
single:
  weight: 70 # weight0
  cpu: 700 # cpu0
  nodes: 71 # nodes0
  label: unseen
nodePools:
${[0, 1, 2, 3].map(MAP_POOL).join("")}list:
${[0, 1, 2, 3].map(LIST_POOL).join("")}`;

const CLASS = `apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  role: KarpenterNodeRole-prod
  amiSelectorTerms: [{alias: al2023@v20260601}]
  subnetSelectorTerms: [{tags: {karpenter.sh/discovery: prod}}]
  securityGroupSelectorTerms: [{tags: {karpenter.sh/discovery: prod}}]
`;

const SUBCHART = `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: below}
spec:
  weight: {{ .Values.weight }}
  limits: {cpu: {{ .Values.cpu }}}
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      terminationGracePeriod: 24h
      requirements: []
`;

const FILES: Files = {
  "charts/pools/Chart.yaml": "apiVersion: v2\nname: pools\nversion: 0.1.0\n",
  "charts/pools/templates/pools.yaml": TEMPLATE,
  "charts/pools/templates/class.yaml": CLASS,
  "charts/pools/templates/_helpers.tpl": HELPERS,
  "charts/pools/values.yaml": VALUES,
  "charts/pools/charts/sub/Chart.yaml": "apiVersion: v2\nname: sub\nversion: 0.1.0\n",
  "charts/pools/charts/sub/values.yaml": "weight: 80 # weight0\ncpu: 1\n",
  "charts/pools/charts/sub/templates/pool.yaml": SUBCHART,
  "prod.yaml": "single:\n  label: single0 # single0\nsub:\n  cpu: 800 # cpu0\n",
};

/** All lines with a mark. */
const SLOTS: readonly Slot[] = Object.entries(FILES).flatMap(([file, text]) =>
  [...text.matchAll(/^ *(?:[\w./-]+: )+(\S+) # (\w+?)(\d)$/gm)].map(([, value = "", name = ""]): Slot => ({
    file,
    value,
    kind: name === "weight" ? "weight" : /^\d/.test(value) ? "limit" : "label",
  })),
);

/** The file and line of a slot. */
const placeOf = ({ file, value }: Slot): string => {
  const lines = FILES[file]!.split("\n");
  return `${file}:${lines.findIndex((line) => line.includes(` ${value} #`)) + 1}`;
};

function changed(slots: readonly Slot[], valueOf: (slot: Slot) => string): Files {
  const files = { ...FILES };
  for (const slot of slots) files[slot.file] = files[slot.file]!.replace(` ${slot.value} #`, ` ${valueOf(slot)} #`);
  return files;
}

const NEW = ({ kind, value }: Slot): string =>
  kind === "label" ? `${value}x` : kind === "weight" ? `${Number(value) - 5}` : `1${value}`;
const BAD = ({ kind, value }: Slot): string =>
  kind === "label" ? `"${value} !"` : kind === "weight" ? `${value}000` : `-${value}`;
const RUNS = 20;
const EACH = 10;
const some = (random: Random, kinds: readonly string[]): Slot[] =>
  random.some(
    SLOTS.filter(({ kind }) => kinds.includes(kind)),
    EACH,
  );
const seeds = Array.from({ length: RUNS }, (_none, seed) => seed);

describe("places of 200 random fields in a template, its helpers and values", () => {
  it.each(seeds)("stand in the diff, seed %i", async (seed) => {
    const slots = some(randomOf(seed), ["limit", "weight", "label"]);
    const folder = repository(FILES, changed(slots, NEW));
    const asked = ["diff", seed % 3 === 0 ? "." : "charts/pools", "--values", "prod.yaml"];
    const { exit, stdout, stderr } = await run(seed, folder, [...asked, "--against", "main", "--all"]);
    expect([exit, stderr.includes("error")]).toStrictEqual([1, false]);
    const places = [...stdout.matchAll(/ # (?:[\w-]+, )?(\S+:\d+)$/gm)].map(([, place]) => place!);
    expect(new Set(places)).toStrictEqual(new Set(slots.map(placeOf)));
  });

  it.each(seeds)("stand in findings, seed %i", async (seed) => {
    const kinds = seed % 2 === 0 ? ["limit"] : ["weight", "label"];
    const slots = some(randomOf(1000 + seed), kinds);
    const folder = folderWith(changed(slots, BAD));
    const { stdout } = await run(seed, folder, ["check", ".", "--values", "prod.yaml", "-o", "json"]);
    const { findings } = JSON.parse(stdout) as { findings: { code: string; file?: string; line?: number }[] };
    const found = findings.filter(({ code }) => ["node-pool-invalid", "limits-below-zero"].includes(code));
    const places = new Set(found.map(({ file, line }) => `${file}:${line}`));
    expect(slots.map(placeOf).filter((place) => !places.has(place))).toStrictEqual([]);
  });

  it("stand in annotations of GitHub", async () => {
    const slots = SLOTS.filter(({ value }) => ["70", "303", "own2"].includes(value));
    const { stdout } = await run(0, folderWith(changed(slots, BAD)), ["check", ".", "-o", "github"]);
    for (const slot of slots) {
      const [file, line] = placeOf(slot).split(":");
      expect(stdout).toContain(`file=${file},line=${line},`);
    }
  });
});
