/** The answer of `anp doctor -o json`: its JSON Schema and its type. */
import * as z from "zod";
import * as words from "../../model/schema/answer-schema.ts";
import { count, flag, listOf, orNull, text, texts } from "../../model/schema/answer-schema.ts";

const file = (description: string) => orNull(z.string(), `${description}; null if there is none.`);

const government = z.strictObject({
  hostedCluster: orNull(z.string(), "The hosted control plane's namespace; null if the input names none."),
  policy: file("The file of its AutoNodePolicy"),
  extends: orNull(z.string(), "spec.extends of its RenderConfig; null if it extends no policy."),
  renderConfig: file("The file of its RenderConfig"),
  hostedControlPlane: file("The file of its HostedControlPlane"),
  hostedClusterObject: file("The file of its HostedCluster"),
  folders: listOf(
    z.strictObject({
      folder: text("Folders of wrappers."),
      by: text("The object that assigns it."),
      file: text("The file of that object."),
    }),
    "The folders that are its own.",
  ),
  nodePools: count("How many OpenshiftNodePools."),
  rawNodePools: count("How many NodePools of Karpenter; left out if there are none.").optional(),
  nodeClasses: count("How many OpenshiftEC2NodeClasses."),
  wrapperFolders: listOf(
    z.strictObject({ folder: text("Where."), wrappers: count("How many.") }),
    "The places of its wrappers.",
  ),
  profile: orNull(z.string(), "The Karpenter to render for; null if the RenderConfig cannot be read."),
  requirePolicy: flag("Whether having no policy is an error."),
  guardRails: orNull(z.string(), "The provider with guard rails for check to add."),
  baseline: file("The file of its baseline"),
});

export const doctorSchema = words.answer("doctor -o json", "fleet.md", {
  schemaVersion: words.schemaVersion,
  mode: words.mode,
  policyDir: orNull(z.string(), "The path of --policy-dir; null: rules are read everywhere."),
  foldersDecide: flag("Whether the folders say which hosted cluster a wrapper is for."),
  hostedClusters: listOf(government, "The inputs of each hosted cluster."),
  sharedPolicies: listOf(
    z.strictObject({
      file: text("The file of the policy."),
      extendedBy: texts("The hosted clusters whose RenderConfigs extend it."),
      others: listOf(
        z.strictObject({
          hostedCluster: orNull(z.string(), "Its namespace; null if the input names none."),
          file: text("The file of its own policy."),
          differences: listOf(
            z.strictObject({
              field: text("A label, or a field of the root volume."),
              base: orNull(z.string(), "What the shared policy says; null if nothing."),
              own: orNull(z.string(), "What the cluster's own policy says; null if nothing."),
            }),
            "In what the two differ; empty if they mean the same.",
          ),
        }),
        "Hosted clusters with a policy of their own that differs least from this one.",
      ),
    }),
    "The policies that RenderConfigs extend.",
  ),
  strays: listOf(
    z.strictObject({
      folder: text("Where."),
      wrappers: count("How many."),
      among: texts("The other hosted clusters that have it."),
    }),
    "Wrappers of an unknown hosted cluster.",
  ),
  rawFolders: listOf(
    z.strictObject({ folder: text("Where."), nodePools: count("How many."), nodeClasses: count("How many.") }),
    "Karpenter's own objects, if there is no hosted cluster.",
  ),
  layouts: listOf(
    z.strictObject({
      layout: text("YAML, kustomize, Helm, Terraform, or inside other objects."),
      files: texts("The files that hold pools and node classes in it."),
      nodePools: count("How many."),
      nodeClasses: count("How many."),
    }),
    "How Karpenter's own objects are written, if there is no hosted cluster.",
  ),
  commands: texts("Commands for CI that fit these objects; none with a hosted cluster."),
  ignored: listOf(
    z.strictObject({ what: text("A file, or a count of objects by kind."), why: text("Why.") }),
    "What is skipped.",
  ),
});

type DoctorAnswer = z.infer<typeof doctorSchema>;

export type DescribedRepository = Pick<
  DoctorAnswer,
  "foldersDecide" | "hostedClusters" | "sharedPolicies" | "strays" | "rawFolders" | "layouts" | "commands" | "ignored"
>;
export type DescribedGovernment = DoctorAnswer["hostedClusters"][number];
export type Layout = DoctorAnswer["layouts"][number];
export type Ignored = DoctorAnswer["ignored"][number];
