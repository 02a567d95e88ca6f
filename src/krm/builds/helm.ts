/** Renders the charts of an input, or says why not and which files are then no manifests. */
import { posix } from "node:path";
import { type Finding, findingInFile } from "../findings/finding.ts";
import type { Source } from "../places/source.ts";
import { MAX_INPUT_BYTES } from "../read/input-bytes.ts";
import { counted } from "../values/counted.ts";
import { Builder, BUILT_WITH, type BuildRequest, type BuiltInput, placeOf, someNames, TOO_LARGE } from "./build.ts";
import { type Chart, type ChartProblem, ChartReader, isChartFile } from "./chart.ts";
import { releaseOfKarpenter } from "./karpenter-chart.ts";
import { TemplatePlaces } from "./template-places.ts";
import { fileValues, isReleaseName, type Release, releasesIn } from "./releases.ts";
import type { Layer } from "./value-places.ts";
import { valueIn, wholeOf } from "./whole-file.ts";

export interface HelmRequest extends BuildRequest {
  /** Values that the user names, for each chart. */
  readonly values: readonly Source[];
  /** Whether a file cannot be read as it is. */
  readonly isUnreadable: (source: Source) => boolean;
}

export function buildCharts(request: HelmRequest): BuiltInput {
  const { tops, sources, each } = request;
  const reader = new ChartReader(request.files);
  const charts = tops.filter((top) => !isSubchart(top, tops));
  const insideOf = (top: Source) => sources.filter(({ folder }) => isWithin(folder, top.folder));
  const ours = charts.filter((top) => each || insideOf(top).some(({ text }) => request.isOurs(text)));
  const own = ours.map((top) => reader.read(top));
  const installed = releasesIn(sources, request.files, reader).filter(
    ({ chart, of }) => each || own.includes(chart) || isOurRelease(request, chart, of),
  );
  const named = new Set(installed.map(({ chart }) => chart));
  const alone = own.filter((chart) => each || !named.has(chart));
  const all = [...alone.map((chart) => plainRelease(chart, request.values)), ...installed];
  const releases = all.filter(({ chart }) => !chart.isLibrary);
  const builder = new Builder([{ name: "helm", ofVersion: ["version", "--short"] }], request);
  const value: Source[] = [];
  const findings: Finding[] = [];
  const unbuilt: Source[] = [];
  const taken = new Set<string>();
  let size = 0;
  for (const release of releases) {
    const { chart, of, unknown } = release;
    const { file } = of;
    const inside = insideOf(chart.top).filter((source) => isOfChart(source, chart));
    const without = withoutDependencies(chart);
    // What is compared with a policy has to be whole.
    const rendered = each && without !== undefined ? without : render(builder, release);
    const made = "objects" in rendered ? rendered : (without ?? rendered);
    if ("objects" in made) size += made.objects.reduce((sum, { text }) => sum + text.length, 0);
    if ("objects" in made && size <= MAX_INPUT_BYTES) {
      for (const one of made.objects) value.push(one);
      for (const source of inside) taken.add(placeOf(source));
      const ofChart =
        file === chart.top.file ? "" : ` of the chart ${posix.dirname(chart.top.file)} as ${release.name}`;
      const message = `${BUILT_WITH} ${builder.version()}: ${counted(made.objects.length, "object")}${ofChart}`;
      findings.push(findingInFile("file-skipped", file, { message }));
      if (unknown !== undefined) findings.push(findingInFile("chart-unbuilt", file, { message: unknown }));
      if (without !== undefined) {
        const words = { message: `${without.message}: what it adds is not in the answer`, hint: without.command };
        findings.push(findingInFile("chart-unbuilt", chart.top.file, words));
        unbuilt.push(chart.top);
      }
      continue;
    }
    const problem = "objects" in made ? { message: TOO_LARGE } : made;
    // What is defended has to be readable.
    const passed = inside.filter((source) => !isTemplate(source, chart) || (!each && request.isUnreadable(source)));
    for (const source of passed) taken.add(placeOf(source));
    unbuilt.push(...inside);
    const passedOver = passed.flatMap((source) => (isTemplate(source, chart) ? source.file : []));
    findings.push(findingInFile("chart-unbuilt", file, unbuiltWords(release, problem, passedOver)));
  }
  // No policy judges it.
  if (!each) for (const chart of own) for (const one of releaseOfKarpenter(chart, request.values)) value.push(one);
  return { value, findings, taken, told: new Set(), unbuilt };
}

function unbuiltWords({ chart }: Release, { message, command }: ChartProblem, passedOver: readonly string[]) {
  const without = passedOver.length === 0 ? "" : `, without ${someNames(passedOver)}`;
  return {
    message: `is not rendered, and its templates are read as they are${without}: ${message}`,
    hint: command ?? `helm template ${posix.dirname(chart.top.file)} | anp check -`,
  };
}

/** Undefined if the chart has all of them. */
function withoutDependencies({ missing, top }: Chart): Required<ChartProblem> | undefined {
  if (missing.length === 0) return undefined;
  const command = `helm dependency build ${posix.dirname(top.file)}`;
  return { message: `its dependency ${missing[0]} is not in charts/, and anp fetches nothing`, command };
}

/** A chart with its own values, as `helm install` has it. */
function plainRelease(chart: Chart, values: readonly Source[]): Release {
  return {
    chart,
    name: isReleaseName(chart.name) ? chart.name : "release-name",
    namespace: undefined,
    values: values.map(fileValues),
    withDefaults: true,
    parameters: [],
    of: chart.top,
    built: chart.top.folder,
    problem: chart.problem,
    unknown: undefined,
  };
}

/** Whether a chart outside the input, or the values for one, name what is of interest. */
function isOurRelease({ isOurs, sources }: HelmRequest, chart: Chart, { file }: Release["of"]): boolean {
  if (sources.some((source) => source.file === file && isOurs(source.text))) return true;
  return [...chart.files.keys()].some((path) => isOurs(chart.textAt(path)?.text ?? ""));
}

/** Kinds that a cluster with Karpenter serves: charts ask for them. */
const SERVED = [
  "karpenter.sh/v1",
  "karpenter.sh/v1/NodePool",
  "karpenter.k8s.aws/v1",
  "karpenter.k8s.aws/v1/EC2NodeClass",
];

/** The objects, or why there are none. */
function render(builder: Builder, release: Release): { readonly objects: readonly Source[] } | ChartProblem {
  const { chart, name, namespace, values, parameters, problem } = release;
  if (problem !== undefined) return problem;
  const hasArchive = [...chart.files.keys()].some((path) => path.endsWith(".tgz"));
  const args = [
    "template",
    name,
    CHART_FOLDER,
    ...(namespace === undefined ? [] : [`--namespace=${namespace}`]),
    ...values.map((_one, at) => `--values=${valuesFile(at)}`),
    ...parameters,
    ...SERVED.map((one) => `--api-versions=${one}`),
    // A schema in an archive can name addresses; others are not given to helm.
    ...(hasArchive ? ["--skip-schema-validation"] : []),
  ];
  const ran = builder.build(args, () => filesOf(release));
  if ("problem" in ran) return { message: ran.problem };
  return { objects: objectsIn(ran.output, release) };
}

const CHART_FOLDER = "chart";
const VALUES = "values.yaml";

function valuesFile(at: number): string {
  return `values/${at}.yaml`;
}

function filesOf({ chart, values, withDefaults }: Release): Map<string, string | Buffer> {
  return new Map<string, string | Buffer>([
    ...[...chart.files].map(([path, bytes]) => [`${CHART_FOLDER}/${path}`, bytes] as const),
    [`${CHART_FOLDER}/Chart.yaml`, chart.ownText] as const,
    ...(withDefaults ? [] : [[`${CHART_FOLDER}/${VALUES}`, "{}"] as const]),
    ...values.map(({ text }, at) => [valuesFile(at), text] as const),
  ]);
}

/** Each document is a text whose characters lead to where they were written. */
function objectsIn(output: string, release: Release): Source[] {
  const { chart, built, of } = release;
  const { top } = chart;
  const names = templateNames(chart);
  const texts = new Map([...chart.files.keys()].flatMap((path) => textOf(chart, path)));
  const layers = new Map<string, readonly Layer[]>();
  const layersOf = (path: string): readonly Layer[] => {
    const known = layers.get(path) ?? layersFor(release, path);
    layers.set(path, known);
    return known;
  };
  const places = new TemplatePlaces({ texts, layersOf });
  return output.split(/^---\n/m).flatMap((text) => {
    const name = /^# Source: (.+)$/m.exec(text)?.[1] ?? "";
    if (/^(?:#.*|\s*)$/.test(text) || text.split("\n").every((line) => /^\s*(?:#|$)/.test(line))) return [];
    const path = names.get(name);
    const template = path === undefined ? undefined : texts.get(path);
    let found: NonNullable<Source["origin"]> | undefined;
    const origin: typeof found = (offset) => (found ??= places.originsOf(text, path, template ?? top))(offset);
    const { trusted } = top;
    const { folder } = of;
    const file = template?.file ?? top.file;
    return [{ file, folder, text, explicit: false, trusted, config: false, built, origin }];
  });
}

/** Templates by the names that helm gives them: those of charts in place of folders. */
function templateNames(chart: Chart): ReadonlyMap<string, string> {
  const named = [...chart.files.keys()].filter((path) => /(?:^|\/)templates\//.test(path));
  return new Map(named.map((path) => [[chart.name, ...path.split("/")].join("/"), path]));
}

function textOf(chart: Chart, path: string): [string, Source][] {
  const source = /(?:^|\/)templates\//.test(path) ? chart.textAt(path) : undefined;
  return source === undefined ? [] : [[path, source]];
}

/** The values that a template of a chart or subchart sees, the strongest first. */
function layersFor({ chart, values, withDefaults }: Release, path: string): readonly Layer[] {
  const folders = path.split("/");
  const names = folders.filter((_name, at) => folders[at - 1] === "charts");
  const given = values.map(({ document, base, value }) => ({ document, base, value, below: names }));
  const own = [...names, ""].flatMap((_name, depth) => {
    if (depth === 0 && !withDefaults) return [];
    const folder = names.slice(0, depth).flatMap((name) => ["charts", name]);
    const source = chart.textAt([...folder, VALUES].join("/"));
    const below = names.slice(depth);
    return source === undefined ? [] : [{ document: wholeOf(source), base: [], value: valueIn(source), below }];
  });
  return [...given.toReversed(), ...own];
}

function isSubchart({ folder }: Source, tops: readonly Source[]): boolean {
  return tops.some((other) => isWithin(folder, `${other.folder}/charts`));
}

function isWithin(folder: string, other: string): boolean {
  return folder === other || folder.startsWith(`${other}/`);
}

/** Whether a file of a chart is not applied as it is. CRDs are no templates, and Helm applies them. */
function isOfChart({ folder, file }: Source, { top }: Chart): boolean {
  const path = posix.join(posix.relative(top.folder, folder), posix.basename(file));
  return (
    /(?:^|\/)templates\//.test(path) ||
    /(?:^|\/)values[\w.-]*\.ya?ml$/.test(path) ||
    isChartFile(path) ||
    posix.basename(path) === "Chart.lock"
  );
}

function isTemplate({ folder }: Source, { top }: Chart): boolean {
  return /(?:^|\/)templates(?:\/|$)/.test(posix.relative(top.folder, folder));
}
