/** Compares the tables of changed metrics, hash versions and gates with the sources of both versions. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { LABELS_OF_115, METRICS_OF_115, VALUES_OF_115 } from "../../../src/analyze/check/alert-rules.ts";
import { HASH_VERSIONS } from "../../../src/analyze/check/upgrade-steps.ts";
import { goModuleDir } from "../../support/go/module-dir.ts";

const CORE = "sigs.k8s.io/karpenter";
const PROVIDER = "github.com/aws/karpenter-provider-aws";

interface Sources {
  readonly core: ReadonlyMap<string, string>;
  readonly provider: ReadonlyMap<string, string>;
}

async function sourcesOf(core: string, provider: string): Promise<Sources> {
  return { core: goFiles(await goModuleDir(CORE, core)), provider: goFiles(await goModuleDir(PROVIDER, provider)) };
}

function goFiles(module: string): ReadonlyMap<string, string> {
  const files = readdirSync(join(module, "pkg"), { recursive: true, withFileTypes: true }).filter(
    ({ name }) => name.endsWith(".go") && !name.endsWith("_test.go"),
  );
  return new Map(
    files.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), "utf8")]),
  );
}

/** The part of a Go file up to the bracket that closes the one before `from`. */
function upToClosing(text: string, from: number): string {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    if ("([{".includes(text[at]!)) depth++;
    if (")]}".includes(text[at]!) && --depth === 0) return text.slice(from, at);
  }
  throw new Error("unbalanced");
}

/** Labels by metric, as `New…` registers them; undefined for labels that a function computes. */
function metricsOf({ core, provider }: Sources): Map<string, readonly string[] | undefined> {
  const all = new Map([...core, ...provider]);
  const packages = Map.groupBy(all, ([file]) => dirname(file));
  const textOf = (folder: string): string =>
    (packages.get(folder) ?? [])
      // Other files assign to variables of the same names.
      .toSorted(([a], [b]) => Number(b.endsWith("/metrics.go")) - Number(a.endsWith("/metrics.go")))
      .map(([, text]) => text)
      .join("\n");
  const shared = [...packages.keys()].find((folder) => folder.endsWith("/pkg/metrics"))!;
  const valueOf = (name: string, folder: string): string => {
    if (name.startsWith('"')) return name.slice(1, -1);
    const own = name.replace(/^\w+\./, "");
    const homes = name.startsWith("metrics.") ? [shared] : [folder, shared, ...packages.keys()];
    for (const home of homes) {
      const text = textOf(home);
      const constant = new RegExp(String.raw`\b${own}\s+=\s+(".*?"|[\w.]+)$`, "m").exec(text)?.[1];
      const label = new RegExp(String.raw`\b${own}\s+=\s+\w+\.Label\{\s*Name:\s*("\w+"|[\w.]+)`).exec(text)?.[1];
      const next = label ?? constant;
      if (next !== undefined && next !== own) return valueOf(next, home);
    }
    throw new Error(`${name} of ${folder}`);
  };
  const found = [...all].flatMap(([file, text]) =>
    [...text.matchAll(/\w*metrics\.NewPrometheus(?:Counter|Gauge|Histogram|Summary)\(/g)].map(({ index, 0: call }) => {
      const folder = dirname(file);
      const body = upToClosing(text, index + call.length);
      const part = (name: string) => new RegExp(String.raw`\b${name}:\s*("\w+"|[\w.]+)`).exec(body)?.[1];
      const parts = [part("Namespace"), part("Subsystem"), part("Name")].flatMap((one) =>
        one === undefined ? [] : valueOf(one, folder),
      );
      const labels = /\[\](?:string|\w+\.Label)\{([^}]*)\}/.exec(body)?.[1];
      const names = labels?.split(",").flatMap((one) => (one.trim() === "" ? [] : valueOf(one.trim(), folder)));
      return [parts.join("_"), names?.toSorted()] as const;
    }),
  );
  return new Map(found);
}

describe("Karpenter's sources", () => {
  let old: Sources;
  let now: Sources;

  beforeAll(async () => {
    [old, now] = await Promise.all([sourcesOf("v1.14.1", "v1.14.1"), sourcesOf("v1.15.0", "v1.15.1")]);
  });

  test("have the same metrics in both versions, and these beside them", () => {
    const [before, after] = [new Set(metricsOf(old).keys()), new Set(metricsOf(now).keys())];
    expect(before.size).toBeGreaterThan(60);
    expect([...before.difference(after)]).toStrictEqual([]);
    expect([...after.difference(before)].toSorted()).toStrictEqual(METRICS_OF_115);
  });

  test("have the same labels, and these beside them", () => {
    const before = metricsOf(old);
    const more = [...metricsOf(now)].flatMap(([metric, labels]) => {
      if (!before.has(metric) || labels === undefined) return [];
      const known = new Set(before.get(metric));
      expect(
        [...known].filter((label) => !labels.includes(label)),
        metric,
      ).toStrictEqual([]);
      const added = labels.filter((label) => !known.has(label));
      return added.length === 0 ? [] : [[metric, added] as const];
    });
    expect(Object.fromEntries(more)).toStrictEqual(LABELS_OF_115);
  });

  test("write the reasons of budgets and unknown errors in this way", () => {
    const textOf = ({ core }: Sources, path: string) => [...core].find(([file]) => file.endsWith(path))![1];
    const reasons = (sources: Sources) =>
      [...textOf(sources, "/pkg/controllers/disruption/helpers.go").matchAll(/metrics\.ReasonLabel: (.*),$/gm)].map(
        ([, value]) => value,
      );
    expect(reasons(old)).toStrictEqual(["string(reason)", "string(reason)"]);
    expect(reasons(now)).toStrictEqual(["strings.ToLower(string(reason))", "strings.ToLower(string(reason))"]);
    const unknown = (sources: Sources) =>
      /MetricLabelErrorDefaultVal += "(.*)"/.exec(textOf(sources, "/pkg/cloudprovider/metrics/cloudprovider.go"))?.[1];
    const { values } = VALUES_OF_115["karpenter_cloudprovider_errors_total"]!;
    expect(values).toStrictEqual({ [unknown(old)!]: unknown(now) });
  });

  test("have these versions of hashes", () => {
    const versions = ({ core, provider }: Sources) => {
      const find = (files: ReadonlyMap<string, string>, name: string) =>
        [...files.values()].flatMap((text) => new RegExp(`const ${name} = "(v\\d+)"`).exec(text)?.[1] ?? [])[0];
      return { nodePool: find(core, "NodePoolHashVersion"), nodeClass: find(provider, "EC2NodeClassHashVersion") };
    };
    expect({ "1.14": versions(old), "1.15": versions(now) }).toStrictEqual(HASH_VERSIONS);
  });

  test("turn on the same feature gates by default", () => {
    const gates = ({ core }: Sources): string[] => {
      const [, text] = [...core].find(([file]) => file.endsWith("/pkg/operator/options/options.go"))!;
      const one = [...text.matchAll(/(\w+)FeatureGate = FeatureGate\{\s*Name: +"\w+",\s*Default: +true/g)];
      const other = [...text.matchAll(/^\t\t(?!Default)(\w+): +true,$/gm)];
      return [...one, ...other].map(([, name]) => name!);
    };
    expect(gates(old)).toStrictEqual(["ReservedCapacity"]);
    expect(gates(now)).toStrictEqual(gates(old));
  });
});
