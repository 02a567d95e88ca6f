/** AutoNodePolicy: its requirements and its root volume. */
import { REQUIREMENT, REQUIREMENTS } from "./requirement.ts";
import { inside, no, ok, rawNumber, type Row, type Table, table } from "./table.ts";

const SIZE: readonly Row[] = [
  ["Gi", ok, "75Gi"],
  ["G", ok, "75G"],
  ["Ti", ok, "1Ti"],
  ["T", ok, "1T"],
  ["Mi", no, "75Mi"],
  ["GB", no, "75GB"],
  ["a unit in small letters", no, "75gi"],
  ["no unit", no, "75"],
  ["a number", no, 75],
  ["a fraction", no, "75.5Gi"],
  ["nothing", no, "0Gi"],
  ["a leading zero", no, "075Gi"],
  ["a minus sign", no, "-75Gi"],
  ["a blank before the unit", no, "75 Gi"],
  ["an empty text", no, ""],
  ["null", ok, null],
];

const TYPE: readonly Row[] = [
  ...["gp2", "gp3", "io1", "io2", "sc1", "st1", "standard", "GP3", "Gp3", "Standard"].map((type): Row => [
    type,
    ok,
    type,
  ]),
  ["gp4", no, "gp4"],
  ["an empty text", no, ""],
  ["a blank at the end", no, "gp3 "],
];

const COUNT: readonly Row[] = [
  ["1", ok, 1],
  ["0", no, 0],
  ["-1", no, -1],
  ["1.5", no, 1.5],
  ["3000.0", ok, rawNumber("3000.0")],
  ["in quotes", no, "3000"],
];

const ROOT_VOLUME = "spec.ec2NodeClassDefaults.rootVolume";

export const AUTO_NODE_POLICY: readonly Table[] = [
  inside(table("entry", REQUIREMENT), "spec.nodePoolDefaults.requirements", (entry) => [entry]),
  table("spec.nodePoolDefaults.requirements", [...REQUIREMENTS, ["null", ok, null], ["a null in it", no, [null]]]),
  table(`${ROOT_VOLUME}.volumeSize`, SIZE),
  table(`${ROOT_VOLUME}.volumeType`, TYPE),
  table(`${ROOT_VOLUME}.iops`, COUNT),
  table(`${ROOT_VOLUME}.throughput`, COUNT),
  table(`${ROOT_VOLUME}.encrypted`, [
    ["true", ok, true],
    ["false", ok, false],
    ["a word", no, "true"],
    ["yes, which YAML 1.2 reads as a word", no, "yes"],
    ["a number", no, 1],
  ]),
  table(ROOT_VOLUME, [
    ["empty", ok, {}],
    ["null", ok, null],
    ["a field that is none", no, { size: "75Gi" }],
    ["the kmsKeyID of a wrapper", no, { volumeSize: "75Gi", kmsKeyID: "key" }],
    ["a list", no, [{ volumeSize: "75Gi" }]],
  ]),
  table("spec.ec2NodeClassDefaults", [
    ["empty", ok, {}],
    ["block device mappings", no, { blockDeviceMappings: [] }],
  ]),
  table("spec.nodePoolDefaults", [
    ["empty", ok, {}],
    ["requirement without s", no, { requirement: [] }],
    ["a field that is none and null", no, { requirement: null }],
    ["taints, which are out of scope", no, { taints: [] }],
  ]),
  table("spec", [
    ["missing", ok, undefined],
    ["null", ok, null],
    ["empty", ok, {}],
    ["only the node classes", ok, { ec2NodeClassDefaults: {} }],
    ["a field that is none", no, { nodepoolDefaults: {} }],
    ["a word", no, "default"],
  ]),
  table("metadata.namespace", [["missing", no, undefined]]),
  table("metadata.name", [
    ["another name, which is ignored later", ok, "strict"],
    ["capitals", no, "Default"],
    ["an empty name", no, ""],
  ]),
];
