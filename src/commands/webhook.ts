/** `anp webhook`: serves Karpenter's conversion webhook, and prints the patch that CRDs need. */
import { type Command, Option } from "commander";
import type { Context } from "./cli/context.ts";
import { EXIT, type ExitCode, UnreadableError, UsageError } from "./cli/exit-codes.ts";
import { choice } from "./cli/options.ts";
import { readText } from "./cli/read-text.ts";
import {
  crdPatch,
  parseListen,
  parseService,
  parseUrl,
  refuseSelfSigned,
  type WebhookOptions,
  webhookSpec,
} from "./webhook/options.ts";

export function addWebhook(program: Command, context: Context, exit: (code: ExitCode) => void): void {
  program
    .command("webhook")
    .description(
      "serve the conversion of NodePools, NodeClaims and EC2NodeClasses between v1beta1 and v1 to API servers",
    )
    .addOption(
      new Option("--listen <address>", "host:port, or :port for every address")
        .argParser(parseListen)
        .default({ host: "127.0.0.1", port: 8443 }, "127.0.0.1:8443"),
    )
    .option("--cert <file>", "the certificate to serve, in PEM; it and the key are read anew when they change")
    .option("--key <file>", "its private key")
    .addOption(new Option("--self-signed [dir]").hideHelp())
    .addOption(new Option("--dns-name [name]").hideHelp())
    .option(
      "--kubeconfig <file>",
      "the cluster with the NodePools that set the lifetime of NodeClaims (in a pod: its own)",
    )
    .option("--context <name>", "the context in it")
    .option("--allow-exec", "let your own kubeconfig run programs and read files, as kubectl does")
    .addOption(choice("--log-format <format>", "of the log", ["logfmt", "json"], "logfmt"))
    .option("--print-crd-patch", "print the JSON patch that makes CRDs use the webhook, and exit")
    .option("--service <name>", "where API servers find it: namespace/name or namespace/name:port", parseService)
    .option("--url <url>", "where API servers find it, outside of their cluster", parseUrl)
    .option("--ca <file>", "with --print-crd-patch: the CA that API servers trust, in PEM")
    .addHelpText("after", EXAMPLES)
    .action(async (options: WebhookOptions) => {
      refuseSelfSigned(options);
      exit(options.printCrdPatch === true ? printPatch(options, context) : await serve(options, context));
    });
}

const EXAMPLES = `
Examples:
  anp webhook --listen :8443 --cert tls.crt --key tls.key
  anp webhook --print-crd-patch --service karpenter/anp-webhook --ca ca.crt`;

async function serve(options: WebhookOptions, context: Context): Promise<ExitCode> {
  const spec = webhookSpec(options, context.env);
  // Network code and its packages are loaded only here.
  const { runWebhook } = await import("../cluster/webhook/run-webhook.ts");
  const { problem, ofCertificate } = await runWebhook(spec, {
    logFormat: options.logFormat,
    write: context.writeError,
  });
  if (problem === undefined) return EXIT.done;
  context.writeError(`anp: ${problem}\n`);
  return ofCertificate === true ? EXIT.unreadable : EXIT.cluster;
}

function printPatch({ service, url, ca }: WebhookOptions, context: Context): ExitCode {
  if (service !== undefined && url !== undefined)
    throw new UsageError("--service and --url exclude each other: give one of them");
  const where = service === undefined ? url && { url: url.href } : { service };
  if (where === undefined) throw new UsageError("say where API servers find the webhook: --service or --url");
  // Without one, another tool writes it into the CRDs.
  context.writeOut(crdPatch(where, ca === undefined ? undefined : readAuthority(ca, context)));
  return EXIT.done;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/** Keeps only certificates, because the output is public, and keys are often in the same file. */
function readAuthority(file: string, context: Context): string {
  const certificates = readText(file, context).match(CERTIFICATE);
  if (certificates === null) throw new UnreadableError(file, "holds no certificate in PEM");
  return certificates.map((certificate) => `${certificate}\n`).join("");
}
