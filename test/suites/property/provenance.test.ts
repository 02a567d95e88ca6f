/** Tests that every leaf of a rendered object has an input field as origin, or is set by anp. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatFieldPath, valueAt } from "../../../src/krm/places/field-path.ts";
import { locationOf } from "../../../src/krm/places/location.ts";
import { originOf, type RenderedObject } from "../../../src/resolve/origin.ts";
import { render } from "../../../src/render/render.ts";
import { scenario } from "../../support/property/arbitraries.ts";
import { resolve } from "../../../src/resolve/resolve.ts";
import { makeBundle } from "../../support/bundle.ts";
import { objectsOf, stream } from "../../support/property/documents.ts";
import { decidedByAnp, translated } from "../../support/property/provenance-rules.ts";
import { seedOf } from "../../support/property/seed.ts";

type Path = (string | number)[];

/** Every leaf with its path; empty lists and mappings count as leaves. */
function leaves(value: unknown, path: Path = []): [Path, unknown][] {
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) return [[path, value]];
  const step = (key: string) => [...path, Array.isArray(value) ? Number(key) : key];
  return Object.entries(value).flatMap(([key, item]) => leaves(item, step(key)));
}

function renderText(files: Readonly<Record<string, string>>): readonly RenderedObject[] {
  return render(resolve(makeBundle(files), { includeUserData: true })).value;
}

interface Seen {
  copied: number;
  translated: number;
  decided: number;
}

function checkOrigins(rendered: RenderedObject, seen: Seen): void {
  for (const [path, value] of leaves(rendered.object)) {
    const field = `${rendered.object.kind} ${formatFieldPath(path)}`;
    const place = originOf(rendered, path);
    if (place === undefined) {
      expect(decidedByAnp(field, value), `${field}: ${JSON.stringify(value)} has no origin`).toBe(true);
      seen.decided += 1;
      continue;
    }
    const input = valueAt(place.resource.value, place.path);
    const from = `${field} ← ${place.resource.kind} ${formatFieldPath(place.path)}`;
    expect(input, `${from} is no field of the input`).not.toBe(undefined);
    const rule = translated(field, place.resource.kind);
    expect(value, from).toStrictEqual(rule === undefined ? input : rule(input, value));
    seen[rule === undefined ? "copied" : "translated"] += 1;
  }
}

const fromWrappers = (rendered: readonly RenderedObject[]) => rendered.filter(({ wrapper }) => wrapper !== undefined);

/** The dialects that no server serves any more, and fields that random wrappers lack. */
const EXTRA = `
apiVersion: karpenter.hypershift.openshift.io/v1beta1
kind: OpenshiftEC2NodeClass
metadata: {name: early}
spec:
  associatePublicIPAddress: true
  detailedMonitoring: false
  blockDeviceMappings:
    - deviceName: /dev/xvdb
      ebs: {volumeSize: 1Ti, volumeType: io2, encrypted: true, deleteOnTermination: false, iops: 100}
    - deviceName: /dev/xvdc
      ebs: {snapshotID: snap-0a1b, kmsKeyID: "arn:aws:kms:x"}
---
apiVersion: karpenter.hypershift.openshift.io/v1
kind: OpenshiftEC2NodeClass
metadata: {name: full}
spec:
  capacityReservationSelectorTerms: [{id: cr-0a1b2c}, {instanceMatchCriteria: Targeted}]
  securityGroupSelectorTerms: [{name: web}]
  metadataOptions: {access: None, httpIPProtocol: IPv4, httpPutResponseHopLimit: 2, httpTokens: Optional}
  kubelet: {cpuCFSQuota: true, systemReserved: {cpu: 100m}, evictionHard: {memory.available: 5%}}
---
apiVersion: karpenter.hypershift.openshift.io/v1beta1
kind: OpenshiftNodePool
metadata: {name: refers}
spec:
  template:
    metadata: {annotations: {example.com/note: "1"}}
    spec: {nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: theirs}}
`;

describe("every leaf of a rendered object", () => {
  it("has its origin, for random inputs", () => {
    const seen: Seen = { copied: 0, translated: 0, decided: 0 };
    const seed = seedOf("provenance", 20_261_121);
    fc.assert(
      fc.property(scenario, (given) => {
        const rendered = fromWrappers(renderText({ "all.yaml": stream(objectsOf(given)), "extra.yaml": EXTRA }));
        for (const one of rendered) checkOrigins(one, seen);
      }),
      { numRuns: 500, seed },
    );
    console.log(`provenance: ${JSON.stringify(seen)}`);
    for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(1000);
  }, 120_000);

  it("has its origin, for the quick start, at a line that contains it", () => {
    const folder = fileURLToPath(new URL("../../../fixtures/quickstart", import.meta.url));
    const files = Object.fromEntries(
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .map((path) => [path, readFileSync(path, "utf8")]),
    );
    const rendered = fromWrappers(renderText(files));
    const seen: Seen = { copied: 0, translated: 0, decided: 0 };
    for (const one of rendered) checkOrigins(one, seen);
    expect(rendered.map(({ object }) => `${object.kind} ${object.metadata.name}`)).toStrictEqual([
      "EC2NodeClass databases",
      "EC2NodeClass default",
      "NodePool batch",
      "NodePool databases",
      "NodePool web",
    ]);
    for (const one of rendered) {
      for (const [path] of leaves(one.object)) {
        const place = originOf(one, path);
        if (place === undefined) continue;
        const [, file, line] = /^(.*):(\d+)$/.exec(locationOf(place.resource, place.path))!;
        const key = place.path.findLast((segment) => typeof segment === "string");
        const above = files[file!]!.split("\n").slice(0, Number(line));
        expect(above.join("\n"), `${file}:${line}`).toContain(`${key}:`);
        const value = valueAt(place.resource.value, place.path);
        if (typeof value === "string") expect(above.at(-1)).toContain(value.slice(0, 20));
      }
    }
  });
});
