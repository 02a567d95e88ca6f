/** Generates random node classes, and inputs of a hosted cluster: platform, user data, RenderConfig. */
import fc from "fast-check";
import { NAMESPACE, type NodeClass, optional, record, type UserData, value } from "./scenario.ts";

export const rootVolume = record({
  volumeSize: optional(fc.constantFrom("75Gi", "120Gi", "1Ti")),
  volumeType: optional(fc.constantFrom("gp3", "GP2", "Io1")),
  encrypted: optional(fc.boolean()),
  iops: optional(fc.constant(3000)),
});

const device = record({
  deviceName: fc.constantFrom("/dev/xvda", "/dev/xvdb", "/dev/xvdc", "xvda"),
  ebs: record({
    volumeSizeGiB: fc.integer({ min: 1, max: 500 }),
    volumeType: optional(fc.constantFrom("GP3", "IO2", "Standard")),
    encrypted: optional(fc.constantFrom("Encrypted", "Unencrypted")),
    deleteOnTermination: optional(fc.constantFrom("Delete", "Retain")),
  }),
});

export const nodeClass: fc.Arbitrary<NodeClass> = fc.record({
  name: fc.constantFrom("default", "gpu", "databases"),
  spec: record({
    monitoring: fc.constantFrom("Detailed", "Basic"),
    ipAddressAssociation: optional(fc.constantFrom("Public", "SubnetDefault")),
    tags: optional(fc.dictionary(fc.constantFrom("team", "cost-center"), value, { minKeys: 1, maxKeys: 2 })),
    blockDeviceMappings: optional(
      fc.uniqueArray(device, { minLength: 1, maxLength: 3, selector: (one) => one["deviceName"] }),
    ),
    instanceStorePolicy: optional(fc.constant("RAID0")),
    metadataOptions: optional(
      fc.constantFrom({ access: "HTTPEndpoint", httpTokens: "Required" }, { httpIPProtocol: "IPv6" }),
    ),
    kubelet: optional(
      fc.constantFrom(
        { maxPods: 110 },
        { evictionSoft: { "memory.available": "5%" }, evictionSoftGracePeriod: { "memory.available": "2m" } },
        { registryPullQPS: 5 },
      ),
    ),
    subnetSelectorTerms: optional(fc.constant([{ tags: { role: "private" } }])),
  }),
});

/** Long and random, so that no part occurs elsewhere by accident. */
const token = fc.string({
  minLength: 24,
  maxLength: 60,
  unit: fc.constantFrom(..."ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0123456789+/="),
});

export const userData: fc.Arbitrary<UserData> = fc
  .record({
    nodeClass: fc.constantFrom("default", "gpu"),
    token,
    before: fc.constantFrom('{"ignition":{"token":"Bearer ', "", "#!/bin/sh\nexport TOKEN=", "é漢 "),
    encoded: fc.boolean(),
  })
  .map(({ before, ...rest }) => ({ ...rest, text: `${before}${rest.token}` }));

export const hostedControlPlane = record({
  infraID: optional(fc.constant("shop-7x2kq")),
  platform: optional(
    fc.constant({
      aws: {
        resourceTags: [
          { key: "managed", value: "true" },
          { key: "team", value: "p", overridePolicy: "Allow" },
        ],
      },
    }),
  ),
});

export const config = record({
  hostedCluster: fc.constant({ namespace: NAMESPACE, infraID: "shop-7x2kq", amis: { amd64: "ami-0abc" } }),
  onBypass: optional(fc.constantFrom("Fail", "Block", "Block")),
  rootVolume: optional(rootVolume),
  nodeLabels: optional(fc.dictionary(fc.constantFrom("tier", "example.com/pool"), value, { maxKeys: 1 })),
  admission: optional(
    record({
      mode: optional(fc.constantFrom("SpecEqual", "DenyAll", "None")),
      nodeClaims: optional(fc.constant("None")),
    }),
  ),
  ec2NodeClasses: optional(fc.constantFrom("Render", "Render", "Skip")),
  rules: optional(fc.constantFrom({ "requirements-conflict": "info" }, { "policy-empty": "off" }, {})),
});
