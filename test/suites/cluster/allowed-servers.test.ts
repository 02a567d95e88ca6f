/** Servers that the kubeconfig of a Secret may name: no connection to any other, whatever a name comes to mean. */
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { succeeded } from "../../../src/cluster/api/api-answer.ts";
import { httpClusterApi } from "../../../src/cluster/api/http-cluster-api.ts";
import { allowedServers, secretAccess } from "../../../src/cluster/api/secret-access.ts";
import { APPLIED_KINDS } from "../../../src/model/objects/applied-kinds.ts";
import { parseAllowedServer } from "../../../src/model/settings/discover-config.ts";

const POOLS = APPLIED_KINDS.find(({ kind }) => kind === "NodePool")!;
let connections = 0;
const server = createServer((socket) => {
  connections += 1;
  socket.destroy();
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterAll(() => {
  server.close();
});

beforeEach(() => {
  connections = 0;
});

test.each([
  ["10.0.0.0/8", { network: "10.0.0.0", prefix: 8, family: "ipv4" }],
  ["fd00::/8", { network: "fd00::", prefix: 8, family: "ipv6" }],
  ["Kube-APIServer", { name: "kube-apiserver" }],
  [".example.com", { name: ".example.com" }],
  ["10.0.0.0/33", undefined],
  ["10.0.0/8", undefined],
  ["300.0.0.0/8", undefined],
  ["fd00::/129", undefined],
  ["fd00:::/8", undefined],
  ["10.0.0.1", undefined],
  ["example.1", undefined],
  ["*.example.com", undefined],
  ["https://example.com", undefined],
  ["..example.com", undefined],
  ["", undefined],
])("%j is a range, a name, or neither", (text, expected) => {
  expect(parseAllowedServer(text)).toEqual(expected);
});

describe("a server", () => {
  const ALLOWED = ["10.0.0.0/8", "fd00::/8", "kube-apiserver", ".example.com"];
  /** `by its name`, `by its address`, or that it is refused. */
  const verdict = (address: string, entries: readonly string[] = ALLOWED): string => {
    try {
      const lookup = allowedServers(entries).lookupFor(address, "the kubeconfig");
      if (lookup !== undefined) return "by what its name means";
      return "at once";
    } catch (error) {
      return (error as Error).message.replace(/^the kubeconfig names the server \S+ /, "");
    }
  };
  const REFUSED = "which discover.allowedServers does not have";

  test.each([
    ["https://kube-apiserver:6443", "at once"],
    ["https://a.kube-apiserver", "at once"],
    ["https://A.EXAMPLE.com.:6443", "at once"],
    ["https://example.com", "by what its name means"],
    ["https://evil-kube-apiserver", "by what its name means"],
    ["https://example.com.evil.org", "by what its name means"],
    ["https://user:password@evil.org", "by what its name means"],
    ["https://169.254.169.254", REFUSED],
    ["https://2852039166", REFUSED],
    ["https://0xa9.0xfe.0xa9.0xfe", REFUSED],
    ["https://[::1]:6443", REFUSED],
    ["https://[::ffff:169.254.169.254]", REFUSED],
  ])("%s: %s", (address, expected) => {
    expect(verdict(address)).toBe(expected);
  });

  test.each([
    ["https://10.1.2.3:6443", "10.0.0.0/8"],
    ["https://[fd00::1]:6443", "fd00::/8"],
    ["https://[::ffff:10.1.2.3]", "10.0.0.0/8"],
  ])("%s is within %s", (address, range) => {
    expect(verdict(address, [range])).not.toBe(REFUSED);
  });

  test("that no name is known of is refused where there are only names", () => {
    expect(verdict("https://evil.org", ["example.com"])).toBe(REFUSED);
    expect(verdict("https://10.0.0.1", ["example.com"])).toBe(REFUSED);
  });

  test("is connected to at the address that was asked about, each time anew", async () => {
    const answers = [["10.0.0.1", "169.254.169.254"], ["169.254.169.254"], ["::ffff:10.0.0.2"]];
    const { lookupFor } = allowedServers(["10.0.0.0/8"], (_name, _options, done) => {
      done(
        null,
        (answers.shift() ?? []).map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      );
    });
    const lookup = lookupFor("https://guest.evil.org:6443", "the kubeconfig")!;
    const asked = (all: boolean): Promise<unknown> =>
      new Promise((resolve) => {
        lookup("guest.evil.org", { all }, (error, address) => resolve(error === null ? address : error.message));
      });
    expect(await asked(true)).toEqual([{ address: "10.0.0.1", family: 4 }]);
    expect(await asked(true)).toBe(
      "the kubeconfig names the server https://guest.evil.org:6443, the address of which discover.allowedServers does not have",
    );
    expect(await asked(false)).toBe("::ffff:10.0.0.2");
  });
});

describe("a Secret's kubeconfig", () => {
  const listed = async (host: string, allowed: readonly string[] | undefined): Promise<string> => {
    const { port } = server.address() as AddressInfo;
    const kubeconfig = JSON.stringify({
      clusters: [{ name: "a", cluster: { server: `https://${host}:${port}` } }],
      users: [{ name: "u", user: { token: "t" } }],
      contexts: [{ name: "c", context: { cluster: "a", user: "u" } }],
      "current-context": "c",
    });
    const secret = {
      metadata: { name: "hcco-kubeconfig", resourceVersion: "1" },
      data: { kubeconfig: Buffer.from(kubeconfig).toString("base64") },
    };
    const access = secretAccess({
      management: { get: async () => succeeded(secret as never) },
      place: { namespace: "clusters-a", name: "hcco-kubeconfig", key: "kubeconfig" },
      server: undefined,
      allowed,
      now: () => performance.now(),
    });
    const api = httpClusterApi({ access, timeoutMs: 2000 });
    const answer = await api.list(POOLS);
    api.close();
    return answer.ok ? "answered" : answer.error.message.replaceAll(String(port), "PORT");
  };
  const of = (host: string): string =>
    `the kubeconfig of Secret clusters-a/hcco-kubeconfig names the server https://${host}:PORT`;

  test.each([
    ["127.0.0.1", undefined],
    ["127.0.0.1", ["127.0.0.0/8"]],
    ["localhost", ["localhost"]],
    ["localhost", ["127.0.0.0/8"]],
  ])("that names %s reaches it where %j is allowed", async (host, allowed) => {
    expect(await listed(host, allowed)).toMatch(/cannot be reached/);
    expect(connections).toBeGreaterThan(0);
  });

  test.each([
    ["127.0.0.1", ["10.0.0.0/8"], `${of("127.0.0.1")}, which discover.allowedServers does not have`],
    ["127.1", ["example.com"], `${of("127.1")}, which discover.allowedServers does not have`],
    ["localhost", ["example.com"], `${of("localhost")}, which discover.allowedServers does not have`],
    ["localhost", ["10.0.0.0/8"], `${of("localhost")}, the address of which discover.allowedServers does not have`],
  ])("that names %s reaches nothing where %j is allowed, and says whose it is", async (host, allowed, words) => {
    expect(await listed(host, allowed)).toBe(words);
    expect(connections).toBe(0);
  });
});
