/** Rules check the root volume that nodes get, from policy or RenderConfig. */
import { describe, expect, it } from "vitest";
import { CATALOGUE } from "../../../test/support/instance-types.ts";
import { makeBundle, classText, configText, policyText } from "../../../test/support/bundle.ts";
import { render } from "../../render/render.ts";
import type { RootVolume } from "../../model/policy/root-volume.ts";
import { resolve } from "../../resolve/resolve.ts";
import { checkClusters } from "./check.ts";

const FIELDS = [undefined, "", "volumeType: gp3", "volumeSize: 20Gi", "volumeSize: 80G", "encrypted: false"];
const SETTINGS = [...FIELDS, "volumeSize: 120Gi, encrypted: true", "volumeSize: 20Gi, encrypted: false"];

interface RenderedNodeClass {
  readonly spec: { readonly blockDeviceMappings: readonly { readonly ebs: RootVolume }[] };
}

/** Each field is set by neither, by one of the two, or by both. */
const CASES = SETTINGS.flatMap((policy) => SETTINGS.map((config) => ({ policy, config })));

describe("the root volume", () => {
  it.each(CASES)("of the policy {$policy} and the RenderConfig {$config}", ({ policy, config }) => {
    const bundle = makeBundle({
      "policy.yaml": policyText(policy === undefined ? "{}" : `{ec2NodeClassDefaults: {rootVolume: {${policy}}}}`),
      "config.yaml": configText(config === undefined ? "{}" : `{rootVolume: {${config}}}`),
      "class.yaml": classText("{instanceStorePolicy: RAID0}"),
    });
    const cluster = resolve(bundle, {});
    const rendered = render(cluster).value.map(({ object }) => object);
    const [nodeClass] = rendered.filter(({ kind }) => kind === "EC2NodeClass") as unknown as RenderedNodeClass[];
    const { encrypted, volumeSize } = nodeClass?.spec.blockDeviceMappings[0]?.ebs ?? {};
    const setter = (field: string) =>
      [policy, config].findIndex((text) => text?.includes(field)) === 0 ? "policy.yaml" : "config.yaml";
    const expected = [
      ...(encrypted === false ? [["volume-unencrypted", setter("encrypted")]] : []),
      ...(volumeSize === "20Gi" ? [["root-volume-small", setter("volumeSize")]] : []),
    ];
    const found = checkClusters([cluster], CATALOGUE, { pricesFor: () => undefined })
      .filter(({ code }) => code === "volume-unencrypted" || code === "root-volume-small")
      .map(({ code, file }) => [code, file]);
    expect(found).toEqual(expected);
  });
});
