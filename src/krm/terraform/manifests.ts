/** The Kubernetes objects that Terraform files apply, as far as the files tell them. */
import { type Finding, findingInDocument, findingInFile, hasErrors, type Outcome } from "../findings/finding.ts";
import { holdsOurs } from "../findings/known-kinds.ts";
import { parseSources } from "../parse/parse.ts";
import type { Resource } from "../places/resource.ts";
import { originOf, type Source } from "../places/source.ts";
import type { FilesBeside } from "../read/file-tree.ts";
import { elementsOf, evaluate } from "./evaluate.ts";
import { isHelmRelease, releasePieces } from "./helm-release.ts";
import { HclProblem } from "./hcl-syntax.ts";
import { manifestAttribute, manifestPieces } from "./manifest-value.ts";
import { type Module, type Placed, Repository } from "./module.ts";
import { placedSource } from "./placed-source.ts";
import { Budget, LimitReached, type Place, type Value } from "./values.ts";

export interface TerraformInput {
  /** Terraform files, and those that give variables. */
  readonly sources: readonly Source[];
  readonly files: FilesBeside;
  /** Whether a text may hold what is of interest. */
  readonly isOurs: (text: string) => boolean;
}

export interface TerraformObjects extends Outcome<readonly Resource[]> {
  /** Values that answers must not show, with what they show instead. */
  readonly hidden: ReadonlyMap<string, string>;
}

/** Whether a Terraform file may apply objects. */
export function holdsManifest(text: string): boolean {
  return HAS_MANIFEST.test(text) || (text.includes('"helm_release"') && /karpenter/i.test(text));
}

const HAS_MANIFEST =
  /\bkind[ \t]*[:=][ \t]*"?(?:NodePool|EC2NodeClass)|"(?:kubectl_manifest|kubernetes_manifest(?:_v1)?|k8s_manifest|local_file|kubectl_file_documents)"/;

/** Values and manifests of all files together: some seconds of work. */
const MOST_WORK = 5_000_000;
/** Of one resource with `for_each`. */
const MOST_ELEMENTS = 1000;

export function terraformObjects({ sources, files, isOurs }: TerraformInput): TerraformObjects {
  const repository = new Repository(sources, files, new Budget(MOST_WORK));
  const value: Resource[] = [];
  const findings: Finding[] = [];
  const hidden = new Map<string, string>();
  const modules = Map.groupBy(
    sources.filter(({ file }) => file.endsWith(".tf")),
    ({ folder }) => folder,
  );
  for (const [folder, own] of modules) {
    if (!own.some(({ text }) => holdsManifest(text))) continue;
    const module = repository.module(folder);
    for (const source of own) {
      const body = repository.bodyOf(source);
      if (body instanceof HclProblem && isOurs(source.text))
        findings.push(unread({ source, offset: body.at }, `cannot be read as Terraform: ${body.message}`));
    }
    for (const placed of module.parts.blocks) {
      const field = manifestAttribute(placed.block.type, placed.block.labels[0]);
      const isRelease = isHelmRelease(placed.block);
      if (field === undefined && !isRelease) continue;
      const made = attempt(() =>
        field === undefined ? releasesOf(placed, module) : objectsOf(placed, field, module, isOurs),
      );
      if (made === "limit") {
        findings.push(findingInFile("terraform-unread", placed.source.file, TOO_MUCH));
        return { value, findings, hidden };
      }
      for (const object of made.value) value.push(object);
      for (const finding of made.findings) findings.push(finding);
      for (const [text, shown] of made.hidden) hidden.set(text, shown);
    }
  }
  for (const finding of leftIn(sources, value, findings)) findings.push(finding);
  return { value, findings, hidden };
}

/** Manifests of Karpenter in a file of which nothing is applied, as far as anp reads it. */
function leftIn(sources: readonly Source[], value: readonly Resource[], findings: readonly Finding[]): Finding[] {
  const told = new Set(findings.map(({ file }) => file));
  for (const { document } of value) told.add(document.source.file).add(originOf(document.source, 0).source.file);
  return sources.flatMap((source) => {
    const found = source.file.endsWith(".tf") && !told.has(source.file) ? OURS_AS_TEXT.exec(source.text) : null;
    if (found === null) return [];
    const message = `holds a manifest of ${found[1]} that no resource applies which anp reads, or only if a variable says so; it is not in the answer`;
    return [unread({ source, offset: found.index }, message)];
  });
}

/** Not in a comment. */
const OURS_AS_TEXT = /^[ \t]*kind[ \t]*[:=][ \t]*"?(NodePool|EC2NodeClass)"?[ \t]*$/m;

const TOO_MUCH = {
  message: "takes more work than anp does for the values of Terraform files; this and all others after it are not read",
  hint: "give the paths of fewer folders, or the plan of Terraform as JSON",
};

function attempt(make: () => TerraformObjects): TerraformObjects | "limit" {
  try {
    return make();
  } catch (error) {
    if (error instanceof LimitReached) return "limit";
    throw error;
  }
}

function unread({ source, offset }: Place, message: string): Finding {
  const document = { source, start: 0, end: source.text.length, secret: false };
  return findingInDocument("terraform-unread", document, offset, { message, hint: READ_PLAN });
}

const READ_PLAN = "terraform show -json PLAN > plan.json, and give plan.json to anp, which then reads that";

function objectsOf(
  { source, block }: Placed,
  field: string,
  module: Module,
  isOurs: TerraformInput["isOurs"],
): TerraformObjects {
  const attribute = block.body.attributes.get(field);
  const none = { value: [], findings: [], hidden: new Map<string, string>() };
  if (attribute === undefined) return none;
  const value: Resource[] = [];
  const findings: Finding[] = [];
  const hidden = new Map<string, string>();
  const address = [...(block.type === "data" ? ["data"] : []), ...block.labels].join(".");
  const at = { source, offset: block.at };
  for (const names of instancesOf({ source, block }, module)) {
    const scope = module.scope(source, names);
    const pieces = manifestPieces(evaluate(attribute.value, scope), scope.budget);
    if (pieces === undefined) {
      if (isOurs(source.text.slice(attribute.at, attribute.value.end))) findings.push(unread(at, UNKNOWN(address)));
      continue;
    }
    const made = placedSource(pieces, source, module.folder);
    if (!isOurs(made.source.text)) continue;
    const parsed = parseSources([made.source]);
    if (hasErrors(parsed.findings) && pieces.some(({ isUnknown }) => isUnknown)) {
      findings.push(unread(at, UNPARSED(address)));
      continue;
    }
    for (const resource of parsed.value) value.push(resource);
    for (const finding of parsed.findings) if (finding.code !== "file-skipped") findings.push(finding);
    for (const [text, shown] of made.hidden) hidden.set(text, shown);
    // A template that makes an object of any kind, or of none.
    const isUnknown = parsed.value.every(({ apiVersion, kind }) => `${apiVersion}${kind}`.includes("$<"));
    if (isUnknown && !hasErrors(parsed.findings)) findings.push(unread(at, UNKNOWN(address)));
  }
  return { value, findings, hidden };
}

/** HelmReleases that name Karpenter: what its chart is told, and manifests in the values of any chart. */
function releasesOf({ source, block }: Placed, module: Module): TerraformObjects {
  const value: Resource[] = [];
  const hidden = new Map<string, string>();
  const at = { source, offset: block.at };
  for (const names of instancesOf({ source, block }, module))
    for (const pieces of releasePieces(block, module.scope(source, names), at)) {
      const made = placedSource(pieces, source, module.folder);
      const { text } = made.source;
      if (!text.includes('"chart":"karpenter"') && !holdsOurs(text)) continue;
      const parsed = parseSources([made.source]);
      // Values that cannot be read say nothing of pools: Helm refuses them.
      if (hasErrors(parsed.findings)) continue;
      for (const resource of parsed.value) value.push(resource);
      for (const [text, shown] of made.hidden) hidden.set(text, shown);
    }
  return { value, findings: [], hidden };
}

const UNKNOWN = (address: string): string => `the manifest of ${address} is not in these files, and not in the answer`;
const UNPARSED = (address: string): string =>
  `the manifest of ${address} is no YAML without values that are not in these files, and it is not in the answer`;

/** The names of each instance of a resource: one, if their number is unknown. */
function instancesOf({ source, block }: Placed, module: Module): ReadonlyMap<string, Value>[] {
  const { attributes } = block.body;
  const place = { source, offset: block.at };
  const named = (name: string, fields: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> => {
    const entries = Object.entries(fields).map(([key, value]) => [key, { place, value }] as const);
    return new Map([[name, { is: "object", entries: new Map(entries), place }]]);
  };
  const count = attributes.get("count");
  if (count !== undefined) {
    const value = evaluate(count.value, module.scope(source));
    if (value.is === "plain" && value.value === 0) return [];
    return [value.is === "plain" && value.value === 1 ? named("count", { index: value }) : new Map()];
  }
  const each = attributes.get("for_each");
  const elements = each === undefined ? undefined : elementsOf(evaluate(each.value, module.scope(source)));
  if (elements === undefined || elements.length > MOST_ELEMENTS) return [new Map()];
  return elements.map(([key, value]) => named("each", { key: key.is === "plain" ? value : key, value }));
}
