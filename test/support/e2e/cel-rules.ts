/** Finds CEL rules of CRDs with messages that no answer of the API server contains. */
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import type { Answer } from "./compare.ts";

interface CelRule {
  readonly rule: string;
  readonly message: string;
}

function celRules(node: unknown): CelRule[] {
  if (typeof node !== "object" || node === null) return [];
  const here = (node as Record<string, unknown>)["x-kubernetes-validations"];
  const own = Array.isArray(here) ? (here as CelRule[]) : [];
  return [...own, ...Object.values(node).flatMap(celRules)];
}

/** Messages of rules on a single object, without transition rules. */
export function messagesOf(crds: readonly KubernetesObject[], kind: string): Set<string> {
  const ofKind = crds.filter(({ spec }) => (spec?.["names"] as { kind?: string } | undefined)?.kind === kind);
  if (ofKind.length !== 1) throw new Error(`${ofKind.length} CRDs of ${kind}`);
  const rules = ofKind.flatMap(celRules).filter(({ rule }) => rule !== "true" && !rule.includes("oldSelf"));
  return new Set(rules.map(({ message }) => message));
}

/** Rules that no answer of the server contains, so that no test proves them. */
export function unbroken(messages: ReadonlySet<string>, answers: readonly Pick<Answer, "server">[]): string[] {
  const said = answers.map(({ server }) => server.message).join("\n");
  return [...messages].filter((message) => !said.includes(message));
}

/** The API server evaluates rules only if the schema is valid. */
const RULES_SKIPPED = "some validation rules were not checked";

/** Rules that anp's model reports and the server does not, though it refuses the same object. */
export function unsaid(messages: ReadonlySet<string>, answers: readonly Answer[]): string[] {
  return answers.flatMap(({ what, model, server }) => {
    if (server.message === "" || server.message.includes(RULES_SKIPPED)) return [];
    return [...messages]
      .filter((message) => model.message.includes(`is wrong: ${message}`) && !server.message.includes(message))
      .map((message) => `${what}\n  model: ${message}\n  server: ${server.message}`);
  });
}
