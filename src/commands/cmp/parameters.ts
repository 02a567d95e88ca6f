/** `anp cmp parameters`: what the parameter form of Argo CD shows, as JSON on standard output. */
import { announceParameters } from "../../model/announce-parameters.ts";
import { type CmpOptions, parametersOf } from "./application.ts";
import type { Context } from "../cli/context.ts";
import { EXIT, type ExitCode } from "../cli/exit-codes.ts";
import { loadBundles } from "../input/load.ts";

/** Whatever is wrong with the input, there is a form: it is the place to put a parameter right. */
export function runParameters(options: CmpOptions, context: Context): ExitCode {
  const { paths, policyDir } = parametersOf(options, context).settings;
  const { hostedCluster: _selected, policyDir: _flag, ...rest } = options;
  const input = { ...rest, ...(policyDir === undefined ? {} : { policyDir }) };
  const { named } = loadBundles(paths, input, context).value;
  const offered = named.filter((name) => options.allowedHostedClusters?.includes(name) ?? true);
  context.writeOut(`${JSON.stringify(announceParameters(offered), null, 2)}\n`);
  return EXIT.done;
}
