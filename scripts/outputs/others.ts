/** Shorter answers as JSON Schemas: doctor, version, catalogue, lists of objects, parameters of Argo CD. */
import * as z from "zod";
import { PARAMETER_NAMES } from "../../src/model/plugin-parameter.ts";
import * as words from "./words.ts";
import { count, flag, listOf, orNull, requirement, said, text, texts } from "./words.ts";

const file = (description: string) => orNull(z.string(), `${description}; null where there is none.`);

const government = z.strictObject({
  hostedCluster: orNull(z.string(), "The hosted control plane's namespace; null where the input names none."),
  policy: file("The file of its AutoNodePolicy"),
  renderConfig: file("The file of its RenderConfig"),
  hostedControlPlane: file("The file of its HostedControlPlane"),
  hostedClusterObject: file("The file of its HostedCluster"),
  folders: listOf(
    z.strictObject({
      folder: text("Of wrappers."),
      by: text("The object that gives it."),
      file: text("Where that stands."),
    }),
    "The folders that are its own.",
  ),
  nodePools: count("How many OpenshiftNodePools."),
  nodeClasses: count("How many OpenshiftEC2NodeClasses."),
  wrapperFolders: listOf(
    z.strictObject({ folder: text("Where."), wrappers: count("How many.") }),
    "Where its wrappers stand.",
  ),
  profile: orNull(z.string(), "The Karpenter to render for; null where the RenderConfig cannot be read."),
  requirePolicy: flag("Whether having no policy is an error."),
  guardRails: orNull(z.string(), "The provider whose guard rails check adds."),
  baseline: file("The file of its baseline"),
});

export const doctorSchema = words.answer("doctor -o json", "fleet.md", {
  schemaVersion: words.schemaVersion,
  mode: words.mode,
  policyDir: orNull(z.string(), "Of --policy-dir; null: rules are read wherever they stand."),
  foldersDecide: flag("Whether the folders say which hosted cluster a wrapper is for."),
  hostedClusters: listOf(government, "What governs each."),
  strays: listOf(
    z.strictObject({
      folder: text("Where."),
      wrappers: count("How many."),
      among: texts("The hosted clusters that have it as well."),
    }),
    "Wrappers of which nobody can tell whose they are.",
  ),
  rawFolders: listOf(
    z.strictObject({ folder: text("Where."), nodePools: count("How many."), nodeClasses: count("How many.") }),
    "Karpenter's own objects, where there is no hosted cluster.",
  ),
  ignored: listOf(
    z.strictObject({ what: text("A file, or how many objects of which kind."), why: text("Why.") }),
    "What is passed over.",
  ),
});

export const versionSchema = words.answer("version -o json", "install.md", {
  anp: text("Of anp."),
  node: text("Of node."),
  platform: text("System and processor."),
  catalogue: said(
    z.strictObject({ instanceTypes: count("How many."), date: text("Of which day."), source: text("Whose.") }),
    "The instance types that anp brings along.",
  ),
  prices: said(
    z.strictObject({ regions: count("How many."), date: text("Of which day."), source: text("Whose.") }),
    "The prices that anp brings along.",
  ),
});

const instanceType = z.strictObject({
  name: text("Of the type."),
  price: said(z.number(), "On demand, an hour.").optional(),
  requirements: listOf(requirement, "Its labels."),
  offerings: listOf(
    z.strictObject({
      requirements: listOf(requirement, "Capacity type and zone."),
      available: flag("Whether it can be had."),
      price: said(z.number(), "An hour.").optional(),
    }),
    "How it can be had.",
  ),
  allocatable: said(z.record(z.string(), z.string()), "What it leaves for pods, by resource."),
});

export const catalogueSchema = words.answer("catalogue -o json", "catalogue.md", {
  schemaVersion: words.schemaVersion,
  source: text("Whose instance types they are."),
  date: text("Of which day."),
  total: count("How many there are, whatever was asked for."),
  instanceTypes: listOf(instanceType, "Those that were asked for."),
  prices: said(
    z.strictObject({
      source: text("Whose prices they are."),
      region: text("The region that they are of.").optional(),
      date: text("When they were taken."),
      currency: text("Three letters, as ISO 4217 has them."),
    }),
    "Where there are prices.",
  ).optional(),
  wellKnownLabels: texts("Labels that Karpenter's provider knows."),
  optionalLabels: texts("Those of them that an instance type may lack."),
});

const object = z.looseObject({
  apiVersion: text("Of the object."),
  kind: text("Of the object."),
  metadata: said(z.looseObject({}), "Of the object.").optional(),
});

export const objectsSchema = words.answer("render, guard, adopt, crds and get -o json", "render.md", {
  apiVersion: said(z.literal("v1"), "Of a List."),
  kind: said(z.literal("List"), "As kubectl prints objects and reads them."),
  items: listOf(object, "The objects."),
});

export const parametersSchema = said(
  z.array(
    z.strictObject({
      name: said(z.enum(PARAMETER_NAMES), "Of the parameter."),
      title: text("What the form calls it."),
      tooltip: text("What the form tells of it."),
      required: flag("Whether the form asks for it."),
      itemType: said(z.enum(["string", "boolean"]), "Of a value."),
      collectionType: said(z.enum(["string", "array"]), "Of all values."),
      string: text("The value when left out.").optional(),
      array: texts("The values when left out.").optional(),
    }),
  ),
  "What anp cmp parameters prints (docs/argocd.md).",
).meta({ title: "anp cmp parameters" });
