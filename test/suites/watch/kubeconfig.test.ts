/** What a kubeconfig of a watch may contain, and that a changed one is used. Runs on real API servers. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { ClusterApi } from "../../../src/cluster/api/cluster-api.ts";
import { httpClusterApi } from "../../../src/cluster/api/http-cluster-api.ts";
import { run } from "../../support/golden/case.ts";
import { NAMESPACE } from "../../support/watch/inputs.ts";
import { describeOnClusters } from "../../support/watch/on-clusters.ts";
import { ADMIN, OPERATOR, type Rig } from "../../support/watch/rig.ts";
import { APPLIED_KINDS } from "../../../src/model/objects/applied-kinds.ts";

const POOLS = APPLIED_KINDS.find(({ kind }) => kind === "NodePool")!;

type Fields = Record<string, unknown>;
type Entry = Record<string, Fields>;

/** A valid kubeconfig as an object, to be changed. */
interface Kubeconfig {
  clusters: [Entry];
  users: [Entry];
}

describeOnClusters("the kubeconfig of a watch", (rig) => {
  const file = () => join(rig.folder, "given.kubeconfig");
  const marker = () => join(rig.folder, "the-program-ran");

  /** The operator's kubeconfig for the guest cluster, with its cluster and its user changed. */
  function write(change: (cluster: Fields, user: Fields, rig: Rig) => void): void {
    const text = readFileSync(rig.kubeconfig("guest", OPERATOR), "utf8");
    const config = JSON.parse(JSON.stringify(parse(text))) as Kubeconfig;
    change(config.clusters[0]["cluster"]!, config.users[0]["user"]!, rig);
    writeFileSync(file(), JSON.stringify(config));
  }

  const once = (...more: string[]) =>
    run(rig.folder, [
      "watch",
      "--hosted-cluster",
      NAMESPACE,
      "--guest-kubeconfig",
      file(),
      "--management-kubeconfig",
      rig.kubeconfig("management", "guest-admin"),
      "--once",
      ...more,
    ]);

  const touch = () => ({ apiVersion: "client.authentication.k8s.io/v1", command: "touch", args: [marker()] });

  describe("is refused before anything of it is used, and each reason is named", () => {
    test.each<[name: string, change: Parameters<typeof write>[0], reasons: string]>([
      ["exec", (_, user) => (user["exec"] = touch()), "`exec` runs a program"],
      [
        "auth-provider",
        (_, user) =>
          (user["auth-provider"] = { name: "gcp", config: { "cmd-path": "/bin/touch", "cmd-args": marker() } }),
        "`auth-provider` may run a program or read a file",
      ],
      [
        "auth-provider with tokenFile",
        (_, user) => (user["auth-provider"] = { name: "tokenFile", config: { tokenFile: "/etc/hostname" } }),
        "`auth-provider` may run a program or read a file",
      ],
      ["tokenFile", (_, user) => (user["tokenFile"] = "/etc/hostname"), "`tokenFile` names a file"],
      ["token-file", (_, user) => (user["token-file"] = "/etc/hostname"), "`token-file` names a file"],
      [
        "files of a certificate",
        (cluster, user) => {
          cluster["certificate-authority"] = "/etc/hostname";
          user["client-certificate"] = "/etc/hostname";
          user["client-key"] = "/etc/hostname";
        },
        "`certificate-authority` names a file; `client-certificate` names a file; `client-key` names a file",
      ],
      [
        "proxy",
        (cluster) => (cluster["proxy-url"] = "http://127.0.0.1:9"),
        "`proxy-url` sends everything through another server",
      ],
      [
        "insecure",
        (cluster) => (cluster["insecure-skip-tls-verify"] = true),
        "`insecure-skip-tls-verify` trusts every server",
      ],
      [
        "http",
        (cluster) => (cluster["server"] = String(cluster["server"]).replace("https:", "http:")),
        "`server` is no https address",
      ],
      [
        "password",
        (_, user) => Object.assign(user, { username: "u", password: "p" }),
        "`password` is none of those; `username` is none of those",
      ],
      ["as", (_, user) => Object.assign(user, { as: "system:admin" }), "`as` is none of those"],
    ])("%s", async (_, change, reasons) => {
      write(change);
      const words = `the kubeconfig ${file()} is not used, because it says more than an https address with CA, token, certificate and key written out: ${reasons} (--allow-exec takes your own as kubectl does)`;
      expect(await once()).toEqual({ exit: 4, stdout: "", stderr: `anp: ${words}\n` });
      expect(existsSync(marker())).toBe(false);
    });

    test("from a WatchConfig too, which cannot allow it", async () => {
      write((_, user) => (user["exec"] = touch()));
      const config = join(rig.folder, "watch.yaml");
      const management = { kubeconfig: rig.kubeconfig("management", "guest-admin") };
      const clusters = [{ name: "c1", namespace: NAMESPACE, management, guest: { kubeconfig: file() } }];
      const kind = { apiVersion: "anp.hypershift.openshift.io/v1alpha1", kind: "WatchConfig" };
      writeFileSync(config, JSON.stringify({ ...kind, spec: { clusters } }));
      const { exit, stderr } = await run(rig.folder, ["watch", "--config", config, "--once"]);
      expect([exit, stderr]).toEqual([4, expect.stringContaining("`exec` runs a program")]);
      const allowed = await run(rig.folder, ["watch", "--config", config, "--once", "--allow-exec"]);
      expect([allowed.exit, allowed.stderr]).toEqual([
        2,
        "anp: --allow-exec and a WatchConfig exclude each other\nSee anp watch --help.\n",
      ]);
      expect(existsSync(marker())).toBe(false);
    });
  });

  test("is used as kubectl uses it if the user allows that", async () => {
    write((_, user) => (user["exec"] = touch()));
    // The output of touch is no credential, but it shows that the program ran.
    const { exit } = await once("--allow-exec");
    expect([exit, existsSync(marker())]).toEqual([4, true]);
    rmSync(marker());
  });

  test("a context, an inline CA and a token are enough", async () => {
    write((_, user) => Object.assign(user, { exec: null, "auth-provider": undefined, username: "" }));
    const api = httpClusterApi({ kubeconfig: file(), context: "test" });
    expect((await api.list(POOLS)).ok).toBe(true);
    api.close();
    expect(() => httpClusterApi({ kubeconfig: file(), context: "other" })).toThrow(
      "the kubeconfig has no context other; it has test",
    );
  });

  describe("is followed while the watch runs", () => {
    const answersOf = async (api: ClusterApi) => {
      const answer = await api.whoAmI();
      return answer.ok ? answer.value : answer.error.message;
    };
    const text = (side: "management" | "guest") => rig[side].kubeconfig(ADMIN);

    test("to another address with another CA", async () => {
      writeFileSync(file(), text("guest"));
      const api = httpClusterApi({ kubeconfig: file() });
      expect([await answersOf(api), api.server]).toEqual([ADMIN, serverIn(text("guest"))]);
      writeFileSync(file(), text("management"));
      expect([await answersOf(api), api.server]).toEqual([ADMIN, serverIn(text("management"))]);
      api.close();
    });

    test("from a CA that the server does not have", async () => {
      const caOf = (config: string) => /certificate-authority-data: .*/.exec(config)![0];
      const wrong = text("guest").replace(caOf(text("guest")), caOf(text("management")));
      writeFileSync(file(), wrong);
      const api = httpClusterApi({ kubeconfig: file() });
      expect(await answersOf(api)).toContain(`${serverIn(wrong)} cannot be reached: `);
      writeFileSync(file(), text("guest"));
      expect(await answersOf(api)).toBe(ADMIN);
      api.close();
    });

    test("and refused once it contains more than is allowed", async () => {
      writeFileSync(file(), text("guest"));
      const api = httpClusterApi({ kubeconfig: file() });
      expect(await answersOf(api)).toBe(ADMIN);
      write((_, user) => (user["exec"] = touch()));
      expect(await answersOf(api)).toContain("`exec` runs a program");
      expect(existsSync(marker())).toBe(false);
      writeFileSync(file(), text("guest"));
      expect(await answersOf(api)).toBe(ADMIN);
      api.close();
    });
  });
});

function serverIn(kubeconfig: string): string {
  return /server: "?([^"\s]+)"?/.exec(kubeconfig)![1]!;
}
