/** Defines scenarios for pod resources and DaemonSets. */
import { isIn, KEYS, type Scenario } from "./scenario.ts";

const { arch, os } = KEYS;

export const RESOURCES: readonly Scenario[] = [
  {
    name: "resources",
    policy: [isIn(arch, "amd64")],
    pools: [{ name: "resources", requirements: [] }],
    pods: [
      { name: "resources-large", requests: { memory: "600Gi" }, gets: { pool: "resources", types: 12 } },
      { name: "resources-too-large", requests: { memory: "5000Gi" }, gets: "nothing" },
    ],
  },
  {
    name: "init-container",
    policy: [isIn(arch, "amd64"), isIn(os, "linux")],
    pools: [{ name: "init-container", requirements: [] }],
    pods: [{ name: "init-container", initRequests: { memory: "300Gi" }, gets: { pool: "init-container", types: 12 } }],
  },
  {
    name: "gpus",
    policy: [],
    pools: [{ name: "gpus", requirements: [] }],
    pods: [
      { name: "gpus-2", requests: { "nvidia.com/gpu": "2" }, gets: { pool: "gpus", types: 1 } },
      { name: "gpus-8", requests: { "nvidia.com/gpu": "8" }, gets: "nothing" },
    ],
  },
  {
    name: "daemons",
    policy: [isIn(arch, "amd64"), isIn(os, "linux")],
    pools: [{ name: "daemons", requirements: [] }],
    daemonRequests: { memory: "200Gi" },
    pods: [{ name: "daemons", requests: { memory: "100Gi" }, gets: { pool: "daemons", types: 12 } }],
  },
];
