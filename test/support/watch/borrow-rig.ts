/** A rig for a suite that leaves only what `clear` removes: a shared one if the run has some, or a new one. */
import { inject } from "vitest";
import { connect } from "../controlplane/connect.ts";
import { controlPlanePrograms } from "../controlplane/programs.ts";
import type { LentRig } from "./lend-rigs.ts";
import { clear, type Rig, rigOf, startRig } from "./rig.ts";

/** `stop` returns it to the pool. */
export async function borrowRig(): Promise<Rig> {
  const lender = inject("rigs");
  if (lender === undefined) return startRig();
  // Building takes longer than a client waits for an answer.
  await controlPlanePrograms();
  const { number, management, guest } = (await ask(`${lender}/`)) as LentRig;
  const rig: Rig = rigOf(connect(management), connect(guest), async () => {
    // Objects of a failed suite may wait for a finalizer: then the rig is not reused.
    const isClear = await clear(rig).then(
      () => true,
      () => false,
    );
    await Promise.all([rig.management.stop(), rig.guest.stop()]);
    if (isClear) await ask(`${lender}/returned/${number}`);
  });
  return rig;
}

async function ask(url: string): Promise<unknown> {
  const response = await fetch(url, { method: "POST" });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return JSON.parse(text) as unknown;
}
