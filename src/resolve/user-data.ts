/** Reads the AMIs and ignition of a user-data Secret (docs/upstream/hypershift.md#user-data). */
import { type Finding, findingAt, type Outcome } from "../krm/findings/finding.ts";
import { describeResource, type Resource } from "../krm/places/resource.ts";
import { AMI_LABELS, userDataSecretSchema } from "../model/objects/user-data-secret.ts";
import { validate } from "../model/schema/validate.ts";
import type { Sourced } from "./origin.ts";

export interface NodeClassSecret {
  readonly amis: { readonly amd64?: Sourced<string> | undefined; readonly arm64?: Sourced<string> | undefined };
  readonly userData: Sourced<string> | undefined;
}

/** Undefined if the Secret is invalid. Findings never quote a value: the ignition contains a token. */
export function readUserDataSecret(secret: Resource): Outcome<NodeClassSecret | undefined> {
  const outcome = validate(userDataSecretSchema, secret, { code: "context-invalid", unknownField: "context-invalid" });
  if (outcome.value === undefined) return { value: undefined, findings: outcome.findings.map(withoutValues(secret)) };
  const { metadata, data, stringData } = outcome.value;
  const ami = (arch: keyof typeof AMI_LABELS): Sourced<string> | undefined => {
    const value = metadata.labels?.[AMI_LABELS[arch]];
    const path = ["metadata", "labels", AMI_LABELS[arch]];
    return value === undefined || value === "" ? undefined : { value, from: { resource: secret, path } };
  };
  const amis = { amd64: ami("amd64"), arm64: ami("arm64") };
  if (amis.amd64 === undefined && amis.arm64 === undefined) {
    const message = `${describeResource(secret)} names no AMI, so no node can start from it`;
    const hint = `add the label ${AMI_LABELS.amd64} or ${AMI_LABELS.arm64}`;
    return {
      value: undefined,
      findings: [findingAt("secret-without-ami", secret, ["metadata", "labels"], { message, hint })],
    };
  }
  const decoded = data?.value === undefined ? undefined : decodeBase64(data.value);
  // stringData takes precedence over data on the API server.
  const text = stringData?.value ?? decoded;
  const path = stringData?.value === undefined ? ["data", "value"] : ["stringData", "value"];
  return {
    value: { amis, userData: text === undefined ? undefined : { value: text, from: { resource: secret, path } } },
    findings: [],
  };
}

function decodeBase64(text: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
}

/** Removes the hint too, which may quote the value. */
function withoutValues(secret: Resource) {
  return ({ hint: _quotes, ...finding }: Finding): Finding => ({
    ...finding,
    message: `${describeResource(secret)}: \`${finding.field ?? ""}\` cannot be used (its value is not shown, because it may be secret)`,
  });
}
