/** A cluster that is worked on in a worker: how it stands, and when it has come to rest. */
import type { FoundCluster } from "../../discover/hosted-clusters.ts";
import type { Desk } from "../../fleet/fleet-state.ts";
import { pause } from "../../waiting/pause.ts";
import { AFTER_CUT_MS } from "../end-work.ts";
import type { FromWorker, RequestCounts } from "./messages.ts";

export interface Placed {
  readonly found: FoundCluster;
  readonly name: string;
  readonly desk: Desk;
  readonly requests: () => { readonly guest: RequestCounts; readonly management: RequestCounts };
  /** It is to go: nobody begins it any more. */
  readonly isStopping: () => boolean;
  /** @param end makes its worker end it, where one has it */
  readonly stop: (end: () => void) => Promise<void>;
  /** Nothing is under way for it any more, or will not be in a moment. */
  readonly stopped: () => void;
  /** What its worker said of it. */
  readonly heard: (message: OfCluster) => void;
  /** Its worker has ended. @param broken why its pass did not come to an end */
  readonly bereft: (broken: string | undefined) => void;
}

type OfCluster = Extract<FromWorker, { readonly namespace: string }>;

interface PlacedOptions extends Pick<Placed, "found" | "name" | "desk"> {
  readonly took: (cluster: string, seconds: number) => void;
  readonly cut: AbortSignal;
}

export function placedCluster({ found, name, desk, took, cut }: PlacedOptions): Placed {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  let requests: ReturnType<Placed["requests"]> = { guest: {}, management: {} };
  let isStopping = false;
  /** What an earlier worker had under way may still be done by the API server until then. */
  let quietAt = 0;
  return {
    found,
    name,
    desk,
    requests: () => requests,
    isStopping: () => isStopping,
    stop: (end) => {
      isStopping = true;
      end();
      return over;
    },
    stopped: () => void pause(Math.max(0, quietAt - performance.now()), cut).then(resolve),
    heard: (message) => {
      switch (message.kind) {
        case "phase":
          return desk.tell(message.phase, message.nextRun);
        case "started":
          return desk.started();
        case "ended":
          return desk.ended(message.pass);
        case "took":
          return took(name, message.seconds);
        case "requests":
          requests = message;
          return undefined;
        case "stopped":
          return undefined;
      }
    },
    bereft: (broken) => {
      quietAt = performance.now() + AFTER_CUT_MS;
      if (broken !== undefined) desk.ended({ result: undefined, broken, end: new Date() });
    },
  };
}

export function isRunning({ desk }: Placed): boolean {
  return desk.state().phase === "running";
}

/** Until somebody has it again. */
export function waitFor({ desk }: Placed, milliseconds: number): void {
  desk.tell("backing-off", new Date(Date.now() + milliseconds));
}
