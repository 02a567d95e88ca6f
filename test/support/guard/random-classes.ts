/** Generates random images and block devices of EC2NodeClasses: names like root devices, flags, families. */
import fc from "fast-check";
import type { Images } from "./guarded-cluster.ts";

const NAMES = [
  "/dev/xvda",
  "/dev/xvda",
  "/dev/sda1",
  "/dev/sda1",
  "xvda",
  "sda1",
  "/dev/sda",
  "/DEV/Xvda",
  "/dev/xvdb",
  "/dev/xvdc",
  "/dev/sdaa",
  "/dev/xvdaa",
  "/dev/nvme0n1",
  "xvda\u200b",
  "\u0130xvda",
  "",
];

const VOLUMES = [
  { volumeSize: "120Gi", volumeType: "gp3", encrypted: true, iops: 4000 },
  { volumeSize: "20Gi", volumeType: "gp3", encrypted: true },
  { volumeSize: "20Gi", encrypted: false },
  { snapshotID: "snap-1" },
];

const FAMILIES = ["AL2", "AL2023", "Bottlerocket", "Windows2019", "Windows2022", "Windows2025", "Custom", "Custom"];

const mapping = fc
  .tuple(
    fc.constantFrom(undefined, ...NAMES),
    fc.constantFrom(...VOLUMES),
    fc.constantFrom(undefined, false, true, true),
  )
  .map(([deviceName, ebs, rootVolume]) => ({
    ...(deviceName === undefined ? {} : { deviceName }),
    ...(rootVolume === undefined ? {} : { rootVolume }),
    ebs,
  }));

/** Karpenter's CRD accepts at most one flag. */
const mappings = fc
  .option(fc.array(mapping, { maxLength: 4 }), { nil: undefined })
  .map((list) =>
    list?.map((one, at) => (list.findIndex((other) => other.rootVolume === true) < at ? unflagged(one) : one)),
  );

function unflagged<T extends object>(mapping: T): Omit<T, "rootVolume"> {
  return Object.fromEntries(Object.entries(mapping).filter(([field]) => field !== "rootVolume")) as Omit<
    T,
    "rootVolume"
  >;
}

const images = fc.oneof(
  fc.constantFrom(...FAMILIES).map((amiFamily): Images => ({ amiFamily, amiSelectorTerms: [{ id: "ami-0a1b" }] })),
  fc
    .tuple(fc.constantFrom(...FAMILIES.slice(0, 6)), fc.constantFrom("none", "same", "Custom"))
    .map(([family, field]): Images => ({
      ...(field === "none" ? {} : { amiFamily: field === "same" ? family : field }),
      amiSelectorTerms: [{ alias: `${family.toLowerCase()}@latest` }],
    })),
);

export const someClass = fc.record({ mappings, images });
