/** Changes in every format: whole outputs, wide and narrow, in colour, and with hostile names. */
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type Change, diffClusters } from "../../analyze/diff/compare-clusters.ts";
import { pairsOf, type SideObject } from "../../analyze/diff/sides.ts";
import type { NodeCounts } from "../../analyze/diff/change-nodes.ts";
import type { KubeObject } from "../../model/objects/kube-object.ts";
import { type DiffFormat, formatDiff } from "./formats.ts";
import { PLAIN, type Style } from "../terminal/style.ts";

const side = (text: string): SideObject => ({ object: parse(text) as KubeObject, placeOf: () => undefined });

const pool = (name: string, spec: string) =>
  side(`
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: ${name}}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements: []
  ${spec}
`);

const nodeClass = (devices: string) =>
  side(`
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec: {amiFamily: Custom, blockDeviceMappings: ${devices}, tags: {"a/b": "1", team: shop}}
`);

const DEVICES =
  "[{deviceName: /dev/xvda, ebs: {volumeSize: 75Gi, encrypted: true}}, {deviceName: /dev/xvdb, ebs: {volumeSize: 5Gi}}]";

function compare(from: SideObject[], to: SideObject[]): Change[] {
  const cluster = (objects: SideObject[]) => [{ hostedCluster: undefined, objects, unsure: new Set<string>() }];
  const facts = { nodesOf: () => undefined, at: 0, nodeTime: 1 };
  const { changes } = diffClusters(pairsOf(cluster(from), cluster(to))!, facts);
  return changes.map((change) => ({ ...change, settles: undefined, keeping: [] }));
}

const MINUTE = 60_000_000_000n;
const NODES: Readonly<Record<string, NodeCounts>> = {
  default: { total: 12, affected: 12, names: null, minDuration: 90n * MINUTE },
  gone: { total: 1, affected: 1, names: null, minDuration: 5n * MINUTE },
  web: { total: 12, affected: 0, names: null, minDuration: 0n },
};

const CHANGES: Change[] = compare(
  [nodeClass(DEVICES), pool("gone", "weight: 1"), pool("web", "weight: 1")],
  [
    nodeClass(DEVICES.replace("75Gi", "90Gi").replace("5Gi", "6Gi")),
    pool("web", "weight: 2"),
    pool("new", "limits: {cpu: 10}"),
  ],
).map((change) => ({ ...change, nodes: NODES[change.resource.name] ?? change.nodes }));

const format = (name: DiffFormat, changes = CHANGES, width = 100, style: Style = PLAIN) =>
  formatDiff(name, changes, { mode: "hosted", style, width });

describe("text", () => {
  it("shows each object with its effect, and its fields with their context", () => {
    expect(format("text")).toBe(`~ EC2NodeClass default  replaces all nodes: 12 of 12 nodes, at least 1h30m
    spec:
      blockDeviceMappings:
      - deviceName: /dev/xvda
        ebs:
-         volumeSize: 75Gi
+         volumeSize: 90Gi
      - deviceName: /dev/xvdb
        ebs:
-         volumeSize: 5Gi
+         volumeSize: 6Gi

- NodePool gone  removes nodes: 1 of 1 node, at least 5m
-   spec:
-     template:
-       spec:
-         nodeClassRef:
-           group: karpenter.k8s.aws
-           kind: EC2NodeClass
-           name: default
-         requirements: []
-     weight: 1

+ NodePool new  concerns new nodes only
+   spec:
+     template:
+       spec:
+         nodeClassRef:
+           group: karpenter.k8s.aws
+           kind: EC2NodeClass
+           name: default
+         requirements: []
+     limits:
+       cpu: 10

~ NodePool web  Karpenter acts differently, nodes stay
    spec:
-     weight: 1
+     weight: 2

1 added, 2 changed, 1 removed (removes-nodes 1, replaces-all 1, new-nodes 1, behavioural 1)
`);
  });

  it("wraps the texts on an object on a narrow terminal, and never its content", () => {
    expect(format("text", CHANGES.slice(0, 1), 30)).toBe(`~ EC2NodeClass default
    replaces all nodes
    12 of 12 nodes, at least
    1h30m
    spec:
      blockDeviceMappings:
      - deviceName: /dev/xvda
        ebs:
-         volumeSize: 75Gi
+         volumeSize: 90Gi
      - deviceName: /dev/xvdb
        ebs:
-         volumeSize: 5Gi
+         volumeSize: 6Gi

1 changed (replaces-all 1)
`);
  });

  it("puts a place that does not fit above its line", () => {
    const [first] = CHANGES.slice(-1);
    const placed = { ...first!, fields: first!.fields.map((field) => ({ ...field, file: "pools/web.yaml", line: 7 })) };
    const lines = (width: number) => format("text", [placed], width).split("\n").slice(-6);
    expect(lines(100)).toStrictEqual([
      "    spec:",
      "-     weight: 1  # pools/web.yaml:7",
      "+     weight: 2",
      "",
      "1 changed (behavioural 1)",
      "",
    ]);
    expect(lines(30)).toStrictEqual([
      "      # pools/web.yaml:7",
      "-     weight: 1",
      "+     weight: 2",
      "",
      "1 changed (behavioural 1)",
      "",
    ]);
  });

  it("colours removed and added lines, and the effect", () => {
    const paint = (name: string) => (text: string) => `<${name}>${text}</${name}>`;
    const names = ["error", "warning", "info", "good", "strong", "faint"] as const;
    const style = Object.fromEntries(names.map((name) => [name, paint(name)])) as unknown as Style;
    expect(format("text", CHANGES.slice(-1), 100, style))
      .toBe(`<warning>~</warning> <strong>NodePool web</strong>  <info>Karpenter acts differently, nodes stay</info>
    spec:
<error>-     weight: 1</error>
<good>+     weight: 2</good>

1 changed (behavioural 1)
`);
  });

  it("shows only the changes of long lists", () => {
    const values = Array.from({ length: 12 }, (_, index) => `t${index}`);
    const withValues = (all: readonly string[]) => {
      const { object } = pool("web", "weight: 1");
      const requirements = [{ key: "k", operator: "In", values: all }];
      return { object: { ...object, spec: { template: { spec: { requirements } } } }, placeOf: () => undefined };
    };
    expect(format("text", compare([withValues(values)], [withValues(values.slice(1))])))
      .toBe(`~ NodePool web  replaces the nodes that no longer fit
    spec:
      template:
        spec:
          requirements:
          - key: k
            operator: In
            values:
-           - t0
            # and 11 as before

1 changed (replaces-some 1)
`);
  });

  it("says that budgets block drift, or that the count is unknown", () => {
    const head = (nodes: NodeCounts) => format("text", [{ ...CHANGES[0]!, nodes }]).split("\n")[0];
    expect([
      head({ total: 9, affected: 9, names: null, minDuration: null }),
      head({ total: 9, affected: null, names: null, minDuration: null }),
      head({ total: 0, affected: 0, names: null, minDuration: 0n }),
    ]).toStrictEqual([
      "~ EC2NodeClass default  replaces all nodes: 9 of 9 nodes, and drift takes none",
      "~ EC2NodeClass default  replaces all nodes: an unknown number of 9 nodes",
      "~ EC2NodeClass default  replaces all nodes: there are none",
    ]);
  });

  it("is empty without changes", () => {
    expect(["text", "github"].map((name) => format(name as DiffFormat, []))).toStrictEqual(["", ""]);
  });
});

describe("json", () => {
  it("is the contract", () => {
    const { changes } = JSON.parse(format("json")) as { changes: unknown[] };
    expect(changes[0]).toStrictEqual({
      resource: { apiVersion: "karpenter.k8s.aws/v1", kind: "EC2NodeClass", name: "default" },
      action: "changed",
      effect: "replaces-all",
      fields: [
        { path: "spec.blockDeviceMappings[0].ebs.volumeSize", from: "75Gi", to: "90Gi" },
        { path: "spec.blockDeviceMappings[1].ebs.volumeSize", from: "5Gi", to: "6Gi" },
      ],
      nodes: { total: 12, affected: 12, names: null, minDuration: "1h30m0s" },
      settles: null,
      cost: null,
    });
    expect(changes[2]).toMatchObject({
      action: "added",
      fields: [{ path: "spec", from: null, to: { limits: { cpu: 10 } } }],
      nodes: { total: null, affected: null, names: null, minDuration: null },
    });
  });
});

describe("integers larger than JavaScript's numbers", () => {
  it("keep their digits in every form", () => {
    const sized = (iops: bigint): SideObject => {
      const { object } = nodeClass("[]");
      return { object: { ...object, spec: { iops } }, placeOf: () => undefined };
    };
    const changes = compare([sized(9_007_199_254_740_993n)], [sized(9_007_199_254_740_994n)]);
    for (const name of ["text", "json", "markdown"] as const) {
      expect(format(name, changes)).toContain("9007199254740993");
      expect(format(name, changes)).toContain("9007199254740994");
    }
    expect(format("github", changes)).toContain("spec.iops: 9007199254740993 → 9007199254740994");
  });
});

describe("markdown", () => {
  it("has a table of all changes, the worst first, and folded fields", () => {
    const text = format("markdown");
    expect(text.split("\n").slice(0, 13)).toStrictEqual([
      "**anp diff: 3 pools and 1 other object change**",
      "",
      "1 added, 2 changed, 1 removed (removes-nodes 1, replaces-all 1, new-nodes 1, behavioural 1)",
      "",
      "**Changes**",
      "",
      "| object | action | effect | nodes |",
      "| --- | --- | --- | --- |",
      "| <code>NodePool gone</code> | removed | removes nodes | 1 of 1 node, at least 5m |",
      "| <code>EC2NodeClass default</code> | changed | replaces all nodes | 12 of 12 nodes, at least 1h30m |",
      "| <code>NodePool new</code> | added | concerns new nodes only |  |",
      "| <code>NodePool web</code> | changed | Karpenter acts differently, nodes stay |  |",
      "",
    ]);
    expect(text).toContain(
      "<details><summary>~ <code>NodePool web</code> Karpenter acts differently, nodes stay</summary>\n\n```diff\n  spec:\n-   weight: 1\n+   weight: 2\n```\n\n</details>\n",
    );
  });

  it("escapes everything", () => {
    const tricky = compare([], [pool("'a|<b>@x'", 'limits: {"````": "</details>"}')]);
    const text = format("markdown", tricky);
    expect(text).toContain("<code>NodePool a&#124;&lt;b&gt;@<!-- -->x</code>");
    expect(text).toContain("\n`````diff\n");
    expect(text.endsWith("`````\n\n</details>\n")).toBe(true);
  });

  it("has changes with the same difference as one", () => {
    const names = ["a", "b", "c", "d", "e", "f"];
    const same = names.map((name) => pool(name, "weight: 1"));
    const text = format("markdown", compare(same, []));
    expect(text).toContain("| <code>6 NodePools</code> | removed | removes nodes |");
    expect(text).toContain("\n\na, b, c, d, e and 1 more; --all lists them\n\n");
  });

  it("fits a comment", () => {
    const many = compare(
      [],
      Array.from({ length: 900 }, (_, index) => pool(`pool-${index}`, `limits: {cpu: ${index}}`)),
    );
    const text = format("markdown", many);
    expect(text.length).toBeLessThan(65_536);
    expect(text.match(/\n… and \d+ more than fit a comment \(`anp diff -o json` has all\)\n/g)).toHaveLength(2);
  });
});

describe("github", () => {
  it("is one annotation per place, with warnings for removed nodes", () => {
    const placed = CHANGES.map((change, index) => ({
      ...change,
      fields: change.fields.map((field) => ({ ...field, file: "a,b.yaml", line: index + 1 })),
    }));
    expect(format("github", placed))
      .toBe(`::warning file=a%2Cb.yaml,line=2,title=NodePool gone%3A removes-nodes::NodePool gone: removes nodes: 1 of 1 node, at least 5m%0Aremoved
::warning file=a%2Cb.yaml,line=1,title=EC2NodeClass default%3A replaces-all::EC2NodeClass default: replaces all nodes: 12 of 12 nodes, at least 1h30m%0Aspec.blockDeviceMappings[0].ebs.volumeSize: "75Gi" → "90Gi"%0Aspec.blockDeviceMappings[1].ebs.volumeSize: "5Gi" → "6Gi"
::notice file=a%2Cb.yaml,line=3,title=NodePool new%3A new-nodes::NodePool new: concerns new nodes only%0Aadded
::notice file=a%2Cb.yaml,line=4,title=NodePool web%3A behavioural::NodePool web: Karpenter acts differently, nodes stay%0Aspec.weight: 1 → 2
1 added, 2 changed, 1 removed (removes-nodes 1, replaces-all 1, new-nodes 1, behavioural 1)
`);
  });
});
