/** `anp crds`: the CustomResourceDefinitions of policy, wrappers and Karpenter's own kinds. */
import type { Command } from "commander";
import { formatObjects } from "../krm/write.ts";
import { type CustomResource, customResourceDefinition } from "../model/crd.ts";
import { ec2NodeClassResource } from "../model/ec2/node-class-resource.ts";
import { nodeClaimResource } from "../model/node-claim.ts";
import { nodePoolResource } from "../model/node-pool-resource.ts";
import { policyResources, wrapperResources } from "../model/our-resources.ts";
import { DEFAULT_PROFILE, PROFILES, type Profile } from "../model/profile.ts";
import type { Context } from "./cli/context.ts";
import { EXIT, type ExitCode } from "./cli/exit-codes.ts";
import { choice } from "./cli/option-forms.ts";

interface CrdsOptions {
  readonly output: "yaml" | "json";
  readonly profile: Profile;
  readonly karpenter?: boolean;
}

/** All of them are made from the models. */
export function addCrds(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  program
    .command("crds")
    .description("print the CRDs of AutoNodePolicy, OpenshiftNodePool and OpenshiftEC2NodeClass")
    .addOption(choice("-o, --output <format>", "form of the output", ["yaml", "json"], "yaml"))
    .addOption(choice("--profile <name>", "the Karpenter whose fields the pool may use", PROFILES, DEFAULT_PROFILE))
    .option("--karpenter", "add Karpenter's NodePool, NodeClaim and EC2NodeClass v1")
    .action(({ output, profile, karpenter = false }: CrdsOptions) => {
      const ours = [...policyResources(), ...wrapperResources(profile)];
      const resources = [...ours, ...(karpenter ? karpenters(profile) : [])];
      context.writeOut(formatObjects(resources.map(customResourceDefinition), output));
      exit(EXIT.done);
    });
}

function karpenters(profile: Profile): CustomResource[] {
  return [nodePoolResource(profile), nodeClaimResource, ec2NodeClassResource(profile)];
}
