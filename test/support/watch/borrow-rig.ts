/** A rig for a suite that leaves no more behind than `clear` removes: one of the run's, where it lends some, or one of its own. */
import { inject } from "vitest";
import { connect } from "../controlplane/connect.ts";
import { controlPlanePrograms } from "../controlplane/programs.ts";
import type { LentRig } from "./lend-rigs.ts";
import { clear, type Rig, rigOf, startRig } from "./rig.ts";

/** `stop` gives it back. */
export async function borrowRig(): Promise<Rig> {
  const lender = inject("rigs");
  if (lender === undefined) return startRig();
  // Building takes longer than anybody waits for an answer.
  await controlPlanePrograms();
  const { number, management, guest } = (await ask(`${lender}/`)) as LentRig;
  const rig: Rig = rigOf(connect(management), connect(guest), async () => {
    // An object whose suite failed may wait for a finalizer: then nobody gets the rig again.
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
