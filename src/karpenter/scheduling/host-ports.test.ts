/** Tests the host ports of a pod, and conflicts between them. */
import { expect, it } from "vitest";
import { podSpecSchema } from "../../model/objects/pod.ts";
import { hostPorts, samePort } from "./host-ports.ts";

it.each<[ports: object, hostNetwork: boolean, found: string[]]>([
  [{ containerPort: 80 }, false, []],
  [{ containerPort: 80, hostPort: 8080 }, false, ["0.0.0.0:8080/TCP"]],
  [{ containerPort: 80, hostPort: 8080, hostIP: "10.0.0.1", protocol: "UDP" }, false, ["10.0.0.1:8080/UDP"]],
  [{ containerPort: 80 }, true, ["0.0.0.0:80/TCP"]],
  [{ containerPort: 80, hostPort: 0, hostIP: "" }, true, ["0.0.0.0:80/TCP"]],
])("%j on the node's network %j: %j", (ports, hostNetwork, found) => {
  const containers = [{}, { ports: [ports] }];
  const spec = podSpecSchema.parse({ containers, initContainers: [{ ports: [{ hostPort: 1 }] }], hostNetwork });
  expect(hostPorts(spec).map(({ ip, port, protocol }) => `${ip}:${String(port)}/${protocol}`)).toStrictEqual(found);
});

it.each<[a: string, b: string, same: boolean]>([
  ["0.0.0.0 80 TCP", "10.0.0.1 80 TCP", true],
  ["::1 80 TCP", ":: 80 TCP", true],
  ["10.0.0.1 80 TCP", "10.0.0.1 80 TCP", true],
  ["10.0.0.1 80 TCP", "10.0.0.2 80 TCP", false],
  ["0.0.0.0 80 TCP", "0.0.0.0 80 UDP", false],
  ["0.0.0.0 80 TCP", "0.0.0.0 81 TCP", false],
])("%s and %s: %j", (a, b, same) => {
  const port = (text: string) => {
    const [ip = "", number, protocol = ""] = text.split(" ");
    return { ip, port: Number(number), protocol };
  };
  expect([samePort(port(a), port(b)), samePort(port(b), port(a))]).toStrictEqual([same, same]);
});
