/** Shorter answers as JSON Schemas: version, catalogue, lists of objects, parameters of Argo CD. */
import * as z from "zod";
import { PARAMETER_NAMES } from "../../model/settings/plugin-parameter.ts";
import * as words from "../../model/schema/answer-schema.ts";
import { count, flag, listOf, requirement, described, text, texts } from "../../model/schema/answer-schema.ts";

export const versionSchema = words.answer("version -o json", "install.md", {
  anp: text("The version of anp."),
  node: text("The version of node."),
  platform: text("System and processor."),
  catalogue: described(
    z.strictObject({
      instanceTypes: count("How many."),
      date: text("The date of the data."),
      source: text("The source of the data."),
    }),
    "The instance types that anp comes with.",
  ),
  prices: described(
    z.strictObject({
      regions: count("How many."),
      date: text("The date of the data."),
      source: text("The source of the data."),
    }),
    "The prices that anp comes with.",
  ),
});

const instanceType = z.strictObject({
  name: text("The name of the type."),
  price: described(z.number(), "Per hour on demand.").exactOptional(),
  requirements: listOf(requirement, "Its labels."),
  offerings: listOf(
    z.strictObject({
      requirements: listOf(requirement, "Capacity type and zone."),
      available: flag("Whether it is available."),
      price: described(z.number(), "Per hour.").exactOptional(),
    }),
    "Where and how it is offered.",
  ),
  allocatable: described(z.record(z.string(), z.string()), "Its resources for pods, by resource."),
});

export const catalogueSchema = words.answer("catalogue -o json", "catalogue.md", {
  schemaVersion: words.schemaVersion,
  source: text("The source of the instance types."),
  date: text("The date of the data."),
  total: count("How many there are, whatever the selection."),
  instanceTypes: listOf(instanceType, "The selected types."),
  prices: described(
    z.strictObject({
      source: text("The source of the prices."),
      region: text("The region of the prices.").exactOptional(),
      date: text("The date of the prices."),
      currency: text("Three letters, as ISO 4217 has them."),
    }),
    "The prices, if there are any.",
  ).exactOptional(),
  wellKnownLabels: texts("Labels that Karpenter's provider knows."),
  optionalLabels: texts("Those of them that an instance type may lack."),
});

const object = z.looseObject({
  apiVersion: text("Of the object."),
  kind: text("Of the object."),
  metadata: described(z.looseObject({}), "Of the object.").exactOptional(),
});

export const objectsSchema = words.answer("render, guard, adopt, crds and get -o json", "render.md", {
  apiVersion: described(z.literal("v1"), "The kind of a List."),
  kind: described(z.literal("List"), "As kubectl prints objects and reads them."),
  items: listOf(object, "The objects."),
});

export const parametersSchema = described(
  z.array(
    z.strictObject({
      name: described(z.enum(PARAMETER_NAMES), "The name of the parameter."),
      title: text("Its title in the form."),
      tooltip: text("Its explanation in the form."),
      required: flag("Whether the form requires it."),
      itemType: described(z.enum(["string", "boolean"]), "The type of a value."),
      collectionType: described(z.enum(["string", "array"]), "Whether it is one value, a list or a map."),
      string: text("The value when left out.").exactOptional(),
      array: texts("The values when left out.").exactOptional(),
    }),
  ),
  "The output of anp cmp parameters (docs/argocd.md).",
).meta({ title: "anp cmp parameters" });
