/** Starts argocd-cmp-server with a plugin.yaml and anp, and sends it the requests of argocd-repo-server. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { goProgram } from "../go/programs.ts";
import { BIN, NODE } from "../process/built.ts";

type Method = "CheckPluginConfiguration" | "MatchRepository" | "GenerateManifest" | "GetParametersAnnouncement";

export interface Answer {
  readonly value?: unknown;
  /** The text that the user interface of Argo CD shows. */
  readonly error?: string;
  readonly milliseconds: number;
}

export interface Asked {
  /** The repository's folder. */
  readonly repository: string;
  /** The Application's folder in it. */
  readonly application: string;
  /** The Application's spec.source.plugin. */
  readonly plugin?: unknown;
}

export class CmpServer {
  readonly #folder: string;
  readonly #program: string;
  readonly #process: ChildProcess;

  private constructor(folder: string, program: string, process: ChildProcess) {
    this.#folder = folder;
    this.#program = program;
    this.#process = process;
  }

  static async start(pluginFile: string): Promise<CmpServer> {
    const program = await goProgram("argocd");
    // Short, because the path of a socket is limited to 107 bytes.
    const folder = mkdtempSync(join(tmpdir(), "anp-cmp-"));
    for (const name of ["bin", "config", "plugins"]) mkdirSync(join(folder, name));
    cpSync(pluginFile, join(folder, "config/plugin.yaml"));
    writeFileSync(join(folder, "bin/anp"), `#!/bin/sh\nexec "${NODE}" "${BIN}" "$@"\n`, { mode: 0o755 });
    const child = spawn(program, ["server", "--config-dir-path", join(folder, "config"), "--loglevel", "error"], {
      stdio: "ignore",
      env: {
        ...process.env,
        PATH: `${join(folder, "bin")}:${process.env["PATH"]}`,
        ARGOCD_PLUGINSOCKFILEPATH: join(folder, "plugins"),
        // The server wipes it at its start.
        ARGOCD_CMP_WORKDIR: join(folder, "work"),
      },
    });
    const server = new CmpServer(folder, program, child);
    for (let tries = 0; !existsSync(server.#socket); tries += 1) {
      if (child.exitCode !== null || tries > 600) throw new Error(`argocd-cmp-server did not start: ${child.exitCode}`);
      await sleep(50);
    }
    return server;
  }

  get #socket(): string {
    return join(this.#folder, "plugins/anp.sock");
  }

  ask(method: Method, { repository, application, plugin = {} }: Asked): Answer {
    const { status, stdout, stderr } = spawnSync(
      this.#program,
      ["ask", method, this.#socket, repository, application],
      { input: JSON.stringify(plugin), encoding: "utf8", timeout: 90_000 },
    );
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as Answer;
  }

  /** The first signal only removes the socket; a second one too soon after it is lost. */
  async stop(): Promise<void> {
    const child = this.#process;
    const ended = once(child, "exit");
    for (let tries = 0; child.exitCode === null && child.signalCode === null; tries += 1) {
      child.kill(tries < 50 ? "SIGTERM" : "SIGKILL");
      await Promise.race([ended, sleep(200)]);
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
