/** One side of `anp diff`: each hosted cluster's objects, rendered or as anp wrote them before. */
import type { SideCluster } from "../../analyze/diff/compare-clusters.ts";
import type { SideObject } from "../../analyze/diff/side-object.ts";
import type { PolicySide } from "../../analyze/diff/policies/policy-side.ts";
import { withWrapperFields } from "../../analyze/diff/wrapper-fields.ts";
import { type FieldPath, valueAt } from "../../krm/field-path.ts";
import { type Finding, hasErrors, ofCluster } from "../../krm/finding.ts";
import type { Resource } from "../../krm/resource.ts";
import { withoutServerFields } from "../../model/without-server-fields.ts";
import type { Bundle } from "../../model/bundle.ts";
import { gatherBundles } from "../../model/gather.ts";
import type { InputMode } from "../../model/input-mode.ts";
import type { KubeObject } from "../../model/kube-object.ts";
import { roleOf } from "../../model/role.ts";
import { originOf, type RenderedObject } from "../../resolve/origin.ts";
import { applyRulesOf, renderAll } from "../../render/render-all.ts";
import { renderOptionsOf, type SharedOptions } from "../cli/options.ts";
import { findingsOfBundles } from "../input/findings-of-bundles.ts";
import { kustomizedFolders } from "../input/gather-loaded.ts";
import { clustersOf } from "../input/load-clusters.ts";
import { holdsNothing, type Read, type Side } from "./sides.ts";
import type { ResolvedInputs } from "../../resolve/inputs.ts";
import { imageDemands } from "../../resolve/resolve-pool.ts";
import { namedByPlace } from "../input/name-clusters.ts";
import { isOutput } from "./output-side.ts";
import { resolveInTurn } from "../../resolve/resolve.ts";
import type { ClusterInTurn } from "../../resolve/resolved-cluster.ts";

export function sideOf(read: Read, mode: InputMode, options: SharedOptions): Side {
  const isReadable = !hasErrors(read.findings);
  if (mode === "raw") return isReadable ? rawSide(read, options) : unreadable(read.findings);
  if (isReadable && isOutput(read.resources))
    return { clusters: outputClusters(read.resources, options), findings: read.findings, readable: true };
  const { value, findings: onChoosing } = gatherBundles(read.resources, {
    hostedCluster: options.hostedCluster,
    config: read.config,
    kustomized: kustomizedFolders(read.findings),
  });
  const { bundles } = value;
  const isOfSeveral = bundles.length > 1;
  const named = (findings: readonly Finding[]) => namedByPlace(findings, value, read.resources);
  // Of a part of the input nobody can tell what it names.
  if (!isReadable) return unreadable(named(read.findings));
  const found = applyRulesOf(bundles, named([...read.findings, ...onChoosing]));
  if (hasErrors(found)) return unreadable([...found, ...findingsOfBundles(bundles)]);
  const rendered = bundles.map((bundle) => renderOne(bundle, options));
  return {
    clusters: rendered.map(({ cluster }) => cluster),
    findings: [
      ...found,
      ...rendered.flatMap(({ cluster: { hostedCluster }, findings }) =>
        ofCluster(isOfSeveral ? hostedCluster : undefined, findings),
      ),
    ],
    readable: true,
  };
}

function unreadable(findings: readonly Finding[]): Side {
  return { clusters: [], findings, readable: false };
}

export const EMPTY: Side = { clusters: [], findings: [], readable: true };

/** @param read undefined where there is none */
export function oldSideOf(read: Read | undefined, mode: InputMode, options: SharedOptions): Side {
  // Everything is new since, its admission policies too.
  if (read === undefined || holdsNothing(read, mode)) return EMPTY;
  const side = sideOf(read, mode, options);
  // A hosted cluster that is new, or that was nobody's before.
  const isNew =
    !side.readable &&
    side.findings.every(({ code, severity }) => severity !== "error" || code === "hosted-cluster-unknown");
  return isNew ? EMPTY : side;
}

/** Of the old side only what keeps it from being compared: the rest was said when it was new. */
export function findingsOfSides(now: Side, old: Side, mode: InputMode, withInfos: boolean): Finding[] {
  // That another version is compared than what is written is a part of the answer.
  const isTold = ({ severity, code }: Finding): boolean =>
    severity !== "info" || (mode === "raw" && code === "old-dialect");
  const told = withInfos ? now.findings : now.findings.filter(isTold);
  return [...told, ...old.findings.filter(({ severity }) => severity === "error")];
}

function renderOne(bundle: Bundle, options: SharedOptions) {
  const { value, findings } = renderAll([bundle], renderOptionsOf(options), resolveInTurn);
  const objects = value.flatMap((one) => one.objects);
  const inputs = value.map(({ resolved }) => resolved.inputs).find((one) => one !== undefined);
  // With the gate off nothing is rendered and nothing removed: what is there stays as it is.
  const gateOff = value.some((one) => one.gateOff);
  const cluster: SideCluster = {
    hostedCluster: bundle.hostedCluster,
    objects: objects.map((object) => renderedObject(object, inputs)),
    settings: inputs?.settings,
    policySide: hasErrors(bundle.findings) ? undefined : value.flatMap(({ resolved }) => policySideOf(resolved))[0],
    unsure: gateOff
      ? "all"
      : hasErrors(findings)
        ? failedOf(
            bundle,
            objects.map(({ object }) => object),
          )
        : new Set(),
  };
  return { cluster, findings };
}

function policySideOf({ inputs, nodePools }: ClusterInTurn): PolicySide[] {
  if (inputs === undefined) return [];
  const pools = () => [...nodePools].flatMap(({ pool }) => pool ?? []);
  return [{ policy: inputs.policy, profile: inputs.settings.profile, pools }];
}

function renderedObject(one: RenderedObject, inputs: ResolvedInputs | undefined): SideObject {
  const { object, wrapper } = one;
  const written = withWrapperFields(object, wrapper?.value);
  const nodeClass = valueAt(object, ["spec", "template", "spec", "nodeClassRef", "name"]);
  const isPool = object.kind === "NodePool" && typeof nodeClass === "string";
  const needs = isPool && inputs !== undefined ? imageDemands(nodeClass, inputs) : undefined;
  const driftedFloor = isPool ? inputs?.settings.config.minDriftedBudget : undefined;
  return { object, written, needs, driftedFloor, placeOf: (path) => originOf(one, path) ?? onWrapper(one, path) };
}

/** What only the wrapper has stands there by the same path. */
function onWrapper({ object, wrapper }: RenderedObject, path: FieldPath): ReturnType<SideObject["placeOf"]> {
  if (wrapper === undefined || valueAt(object, path) !== undefined) return undefined;
  return valueAt(wrapper.value, path) === undefined ? undefined : { resource: wrapper, path };
}

/** What has a wrapper and no object: it is there, and nobody knows how it looks. */
function failedOf({ nodePools, nodeClasses }: Bundle, objects: readonly KubeObject[]): SideCluster["unsure"] {
  if (objects.length === 0) return "all";
  const rendered = new Set(objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`));
  const wrapped = [
    ...nodePools.map(({ name }) => `NodePool/${name}`),
    ...nodeClasses.map(({ name }) => `EC2NodeClass/${name}`),
  ];
  return new Set(wrapped.filter((id) => !rendered.has(id)));
}

/** `--output-dir` writes a folder for each hosted cluster where there are several. */
function outputClusters(resources: readonly Resource[], { hostedCluster }: SharedOptions): SideCluster[] {
  const ours = resources.filter((resource) => roleOf(resource) === "earlier-output");
  const byFolder = [...Map.groupBy(ours, ({ folder }) => folder)];
  const several = byFolder.length > 1;
  const clusters = byFolder.map(([folder, objects]): SideCluster => ({
    hostedCluster: several ? folder.slice(folder.lastIndexOf("/") + 1) : undefined,
    objects: objects.map(outputObject),
    unsure: new Set(),
  }));
  return clusters.filter((one) => !several || hostedCluster === undefined || one.hostedCluster === hostedCluster);
}

function outputObject(resource: Resource): SideObject {
  return { object: resource.value as unknown as KubeObject, placeOf: (path) => ({ resource, path }) };
}

/** Karpenter's own objects as they stand, all of one cluster. */
function rawSide({ findings: onReading, ...value }: Read, options: SharedOptions): Side {
  const { bundles, findings, readable } = clustersOf({ value, findings: onReading }, options);
  const unsure = new Set(findings.flatMap((finding) => (finding.severity === "error" ? refusedIn(finding) : [])));
  const objects = bundles
    .flatMap(({ nodeClasses, nodePools }) => [...nodeClasses, ...nodePools])
    .filter(({ kind, name }) => !unsure.has(`${kind}/${name}`))
    .map(rawObject);
  return { clusters: [{ hostedCluster: undefined, objects, unsure }], findings, readable };
}

/** Nobody can tell what Karpenter would make of it. */
function refusedIn({ resource }: Finding): readonly string[] {
  return resource === undefined ? [] : [`${resource.kind}/${resource.name}`];
}

function rawObject(resource: Resource): SideObject {
  const object = withoutServerFields(resource.value as unknown as KubeObject);
  return { object, asItStands: true, placeOf: (path) => ({ resource, path }) };
}
