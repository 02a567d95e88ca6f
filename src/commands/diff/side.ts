/** One side of `anp diff`: the objects of each hosted cluster, rendered or as earlier output. */
import type { PolicySide, SideCluster, SideObject } from "../../analyze/diff/sides.ts";
import { withWrapperFields } from "../../analyze/diff/wrapper-fields.ts";
import { type Finding, hasErrors, ofCluster } from "../../krm/findings/finding.ts";
import { type FieldPath, valueAt } from "../../krm/places/field-path.ts";
import type { Resource } from "../../krm/places/resource.ts";
import type { Bundle } from "../../model/inputs/bundle.ts";
import { gatherBundles } from "../../model/inputs/gather.ts";
import type { InputMode } from "../../model/objects/input-mode.ts";
import type { KubeObject } from "../../model/objects/kube-object.ts";
import { clustersByFolder } from "../../model/objects/raw-objects.ts";
import { roleOf } from "../../model/objects/role.ts";
import { withoutServerFields } from "../../model/objects/without-server-fields.ts";
import { applyRulesOf, renderAll } from "../../render/render-all.ts";
import type { ResolvedInputs } from "../../resolve/inputs.ts";
import { originOf, type RenderedObject } from "../../resolve/origin.ts";
import { imageRequirements } from "../../resolve/resolve-pool.ts";
import type { RenderOptions } from "../../resolve/settings.ts";
import { resolveInTurn } from "../../resolve/resolve.ts";
import type { ClusterInTurn } from "../../resolve/resolved-cluster.ts";
import { type KarpenterOption, renderOptionsOf, type SharedOptions } from "../cli/options.ts";
import { kustomizedFolders, namedByPlace } from "../input/gather-loaded.ts";
import { clustersOf, inMode } from "../input/load-clusters.ts";
import { findingsOfBundles } from "../input/render-loaded.ts";
import { isOutput } from "./against.ts";
import { holdsNothing, type Read, type Side } from "./sides.ts";

type SideOptions = SharedOptions &
  KarpenterOption & { readonly oneCluster?: boolean; readonly beside?: readonly Resource[] };

export function sideOf(read: Read, mode: InputMode, options: SideOptions): Side {
  const { karpenterGates } = options;
  const rendering = { ...inMode(mode, renderOptionsOf(options)), karpenterGates, among: read.resources };
  const isReadable = !hasErrors(read.findings);
  if (mode === "raw") return isReadable ? rawSide(read, options) : unreadable(read.findings);
  if (isReadable && isOutput(read.resources))
    return { clusters: outputClusters(read.resources, options), findings: read.findings, readable: true };
  const { value, findings: onChoosing } = gatherBundles(read.resources, {
    hostedCluster: options.hostedCluster,
    nodePools: rendering.nodePools,
    inferred: rendering.inferred,
    config: read.config,
    kustomized: kustomizedFolders(read.findings),
  });
  const { bundles } = value;
  const isOfSeveral = bundles.length > 1;
  const named = (findings: readonly Finding[]) => namedByPlace(findings, value, read.resources);
  // A partly readable input may name other clusters than the part that was read.
  if (!isReadable) return unreadable(named(read.findings));
  const found = applyRulesOf(bundles, named([...read.findings, ...onChoosing]));
  if (hasErrors(found)) return unreadable([...found, ...findingsOfBundles(bundles)]);
  const rendered = bundles.map((bundle) => renderOne(bundle, rendering));
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

/** The namespaces of the hosted clusters, each once, sorted. */
export function clusterNames(clusters: readonly SideCluster[]): string[] {
  return [...new Set(clusters.flatMap(({ hostedCluster }) => hostedCluster ?? []))].toSorted();
}

/** @param read undefined if there is no old side */
export function oldSideOf(read: Read | undefined, mode: InputMode, options: SideOptions): Side {
  // Everything is new, including the admission policies.
  if (read === undefined || holdsNothing(read, mode)) return EMPTY;
  const side = sideOf(read, mode, options);
  // The hosted cluster is new, or the old side named no hosted cluster.
  const isNew =
    !side.readable &&
    side.findings.every(({ code, severity }) => severity !== "error" || code === "hosted-cluster-unknown");
  return isNew ? EMPTY : side;
}

/** Of the old side, only the findings that prevent a comparison: the others were reported when it was new. */
export function findingsOfSides(now: Side, old: Side, mode: InputMode, withInfos: boolean): Finding[] {
  // That the compared version differs from the written one is part of the answer.
  const isReported = ({ severity, code }: Finding): boolean =>
    severity !== "info" ||
    code === "file-passed-over" ||
    code === "kustomization-unbuilt" ||
    code === "embedded-unread" ||
    code === "terraform-unread" ||
    code === "chart-unbuilt" ||
    code === "placeholder-unfilled" ||
    (mode === "raw" && code === "old-dialect");
  const reported = withInfos ? now.findings : now.findings.filter(isReported);
  return [...reported, ...old.findings.filter(({ severity }) => severity === "error")];
}

function renderOne(bundle: Bundle, options: RenderOptions) {
  const { value, findings } = renderAll([bundle], options, resolveInTurn);
  const objects = value.flatMap((one) => one.objects);
  const inputs = value.map(({ resolved }) => resolved.inputs).find((one) => one !== undefined);
  // If the gate is off, nothing is rendered and nothing removed: existing objects stay as they are.
  const gateOff = value.some((one) => one.gateOff);
  const cluster: SideCluster = {
    hostedCluster: bundle.hostedCluster,
    bundle,
    objects: objects.map((object) => renderedObject(object, inputs)),
    settings: inputs?.settings,
    karpenter: inputs?.settings.karpenter,
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
  const needs = isPool && inputs !== undefined ? imageRequirements(nodeClass, inputs) : undefined;
  const driftedFloor = isPool ? inputs?.settings.config.minDriftedBudget : undefined;
  return { object, written, needs, driftedFloor, placeOf: (path) => originOf(one, path) ?? onWrapper(one, path) };
}

/** Fields that only the wrapper has are at the same path in it. */
function onWrapper({ object, wrapper }: RenderedObject, path: FieldPath): ReturnType<SideObject["placeOf"]> {
  if (wrapper === undefined || valueAt(object, path) !== undefined) return undefined;
  return valueAt(wrapper.value, path) === undefined ? undefined : { resource: wrapper, path };
}

/** Objects that have a wrapper but failed to render: they exist, and their content is unknown. */
function failedOf({ nodePools, nodeClasses }: Bundle, objects: readonly KubeObject[]): SideCluster["unsure"] {
  if (objects.length === 0) return "all";
  const rendered = new Set(objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`));
  const wrapped = [
    ...nodePools.map(({ name }) => `NodePool/${name}`),
    ...nodeClasses.map(({ name }) => `EC2NodeClass/${name}`),
  ];
  return new Set(wrapped.filter((id) => !rendered.has(id)));
}

/** `--output-dir` writes a folder for each hosted cluster if there are several. */
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

/** Karpenter's own objects unchanged. */
function rawSide({ findings: onReading, ...value }: Read, options: SideOptions): Side {
  const { clusters: resolved, bundles, findings, readable } = clustersOf({ value, findings: onReading }, options);
  const clusters = Map.groupBy(bundles, ({ hostedCluster }) => hostedCluster);
  if (clusters.size === 0) clusters.set(undefined, []);
  const karpenter = resolved.find(({ inputs }) => inputs !== undefined)?.inputs?.settings.karpenter;
  const sides = [...clusters].map(([name, ofOne]) => ({ ...rawCluster(name, ofOne, findings), karpenter }));
  return { clusters: sides, findings, readable };
}

function rawCluster(
  hostedCluster: string | undefined,
  bundles: readonly Bundle[],
  findings: readonly Finding[],
): SideCluster {
  const onIt = findings.filter((one) => one.severity === "error" && one.hostedCluster === hostedCluster);
  const unsure = new Set(onIt.flatMap(refusedIn));
  const objects = bundles
    .flatMap(({ nodeClasses, nodePools }) => [...nodeClasses, ...nodePools])
    .filter(({ kind, name }) => !unsure.has(`${kind}/${name}`))
    .map(rawObject);
  return { hostedCluster, objects, unsure };
}

/** Clusters are told apart by their folders only if both sides have some of the same folders. */
export function comparedAsOne(now: Read, old: Read): boolean {
  // A side without objects leaves the other one as it is.
  if ([now, old].some((side) => holdsNothing(side, "raw"))) return false;
  const namesOf = (side: Read, { resources }: Read) =>
    clustersByFolder(side.resources, resources).flatMap(({ name }) => name ?? []);
  return new Set(namesOf(now, old)).isDisjointFrom(new Set(namesOf(old, now)));
}

/** Objects that Karpenter's admission would refuse: their effect is unknown. */
function refusedIn({ resource }: Finding): readonly string[] {
  return resource === undefined ? [] : [`${resource.kind}/${resource.name}`];
}

function rawObject(resource: Resource): SideObject {
  const { value, written = value, unknown } = resource;
  const object = withoutServerFields(written as unknown as KubeObject);
  // Paths are those of the object as it is written.
  const whole = unknown === undefined ? resource : { ...resource, value: written, unknown: undefined };
  return { object, unknown, asItStands: true, placeOf: (path) => ({ resource: whole, path }) };
}
