/** `anp crds`: the CustomResourceDefinitions of policy and wrappers, made from the models. */
import { type Command, Option } from "commander";
import { formatObjects } from "../krm/write.ts";
import { autoNodePolicyResource } from "../model/auto-node-policy.ts";
import { customResourceDefinition } from "../model/crd.ts";
import { openshiftEC2NodeClassResource } from "../model/openshift-ec2-node-class.ts";
import { openshiftNodePoolResource } from "../model/openshift-node-pool.ts";
import { DEFAULT_PROFILE, PROFILES, type Profile } from "../model/profile.ts";
import type { Context } from "./context.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";

interface CrdsOptions {
  readonly output: "yaml" | "json";
  readonly profile: Profile;
}

export function addCrds(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  program
    .command("crds")
    .description("print the CRDs of AutoNodePolicy, OpenshiftNodePool and OpenshiftEC2NodeClass")
    .addOption(new Option("-o, --output <format>", "form of the output").choices(["yaml", "json"]).default("yaml"))
    .addOption(
      new Option("--profile <name>", "the Karpenter whose fields the pool may use")
        .choices(PROFILES)
        .default(DEFAULT_PROFILE),
    )
    .action(({ output, profile }: CrdsOptions) => {
      const resources = [autoNodePolicyResource, openshiftEC2NodeClassResource, openshiftNodePoolResource(profile)];
      context.writeOut(formatObjects(resources.map(customResourceDefinition), output));
      exit(EXIT.done);
    });
}
