/** An idle hosted cluster: what its watch asks of both API servers in an hour, and how many bytes. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AuditedRequest, auditedRequests } from "../../support/controlplane/audit.ts";
import { startWatch, type WatchProcess } from "../../support/watch-process/start-watch.ts";
import { ARCH, isIn, NAMESPACE, policy } from "../../support/watch/inputs.ts";
import { OPERATOR, put, putEverything, type Rig, startRig } from "../../support/watch/rig.ts";
import { type Gated, gated } from "../../support/watch/gated.ts";

const SIDES = ["management", "guest"] as const;
type Side = (typeof SIDES)[number];
const USERS = { management: "guest-admin", guest: OPERATOR } as const;

/** In which the clock, which looks each thirty seconds, would come three times. */
const QUIET_MS = 95_000;

/** Until each watch has had its bookmark of the minute. */
const HEARD_MS = 70_000;

/** A watch is opened for ten to twenty minutes, and the clock rests for ten. */
const EACH_HOUR = 6;

const PATIENCE_MS = 300_000;

const MIB = 1024 * 1024;

describe("an idle hosted cluster", () => {
  let rig: Rig;
  let gates: Record<Side, Gated>;
  let watch: WatchProcess;

  beforeAll(async () => {
    rig = await startRig({ audited: Object.values(USERS) });
    await putEverything(rig, [isIn(ARCH, "amd64")]);
    const [management, guest] = await Promise.all(SIDES.map((side) => gated(rig, side, USERS[side])));
    gates = { management: management!, guest: guest! };
    watch = startWatch(named());
  });

  afterAll(async () => {
    await watch?.stop("SIGKILL");
    for (const side of SIDES) gates?.[side].gate.close();
    await rig?.stop();
  });

  const file = (side: Side): string => gates[side].kubeconfig;

  function named(): string[] {
    const clusters = ["--guest-kubeconfig", file("guest"), "--management-kubeconfig", file("management")];
    return ["--hosted-cluster", NAMESPACE, "--interval", "30s", ...clusters];
  }

  const asked = (): AuditedRequest[] =>
    SIDES.flatMap((side) => auditedRequests(rig[side].auditLog)).filter(({ userAgent }) => userAgent === "anp");
  const bytes = () => gates.management.gate.bytes() + gates.guest.gate.bytes();

  /** Until nothing is asked for so long. */
  async function untilStill(forMs: number): Promise<void> {
    for (let before = -1, now = asked().length; now !== before; now = asked().length) {
      before = now;
      await sleep(forMs);
    }
  }

  test("asks for little", { timeout: 900_000 }, async () => {
    const isIdle = async () => watch.passes().some(({ result, inSync }) => result === "ok" && Number(inSync) > 0);
    await watch.until("a pass with nothing to do", isIdle, PATIENCE_MS);
    await untilStill(HEARD_MS);
    const watches = asked().filter(({ verb }) => verb === "watch").length;

    const before = { asked: asked().length, bytes: bytes() };
    await sleep(QUIET_MS);
    expect(asked().slice(before.asked)).toEqual([]);
    const quietBytes = bytes() - before.bytes;

    // What a pass of the clock asks as well: something is news, and nothing is to be done.
    const passes = watch.passes().length;
    const at = { asked: asked().length, bytes: bytes() };
    const changed = policy([isIn(ARCH, "amd64")]);
    await put(rig.management, { ...changed, metadata: { ...changed.metadata!, labels: { touched: "yes" } } });
    await watch.until("the pass that follows", async () => watch.passes().length > passes, PATIENCE_MS);
    await untilStill(5000);
    const count = watch.passes().length - passes;
    const ofPass = { requests: (asked().length - at.asked) / count, bytes: (bytes() - at.bytes) / count };
    expect(watch.passes().slice(passes)).toEqual(
      Array(count).fill(expect.objectContaining({ result: "ok", updated: 0 })),
    );

    // As if each watch were opened anew as often as it can be, with a whole handshake.
    const hour = {
      requests: EACH_HOUR * (ofPass.requests + watches),
      bytes: EACH_HOUR * (ofPass.bytes + watches * HANDSHAKE_BYTES) + (quietBytes * 3_600_000) / QUIET_MS,
    };
    console.log(`an idle hosted cluster: ${JSON.stringify({ watches, ofPass, quietBytes, hour })}`);
    expect(hour.requests).toBeLessThanOrEqual(150);
    expect(hour.bytes).toBeLessThanOrEqual(MIB);
  });
});

/** Of TLS 1.3 with a certificate of RSA, and the request of a watch with its headers. */
const HANDSHAKE_BYTES = 6 * 1024;
