/** The fence of a process that has one pass of a cluster: as long as its watch may work. */
import { once } from "node:events";
import { ALONE_VARIABLE } from "../../model/watch-fields.ts";
import { ClusterError } from "../api/api-answer.ts";
import type { FenceMessage } from "./pass-alone.ts";

/**
 * Ends when the watch has told for the first time. What it gives is asked right before each request.
 *
 * @throws ClusterError in a process that no watch started
 */
export async function parentFence(): Promise<() => boolean> {
  if (!process.connected)
    throw new ClusterError(
      `${ALONE_VARIABLE} is set by a watch for a process that it starts: take it out of the environment`,
    );
  let until = 0n;
  process.on("message", (message: FenceMessage) => {
    until = BigInt(message.until);
  });
  // The watch that started it is gone, and another replica may work.
  process.on("disconnect", () => process.exit());
  await once(process, "message");
  return () => process.hrtime.bigint() < until;
}
