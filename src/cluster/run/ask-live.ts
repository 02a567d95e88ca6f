/** What is asked of live clusters beside a watch: one part of the program, with one door. */
export { readLiveDump } from "../read/live-dump.ts";
export { readLiveRawSide } from "../read/live-raw-side.ts";
export { readLiveSide } from "../read/live-side.ts";
export { askCluster, shutdownSignal, planTouch, touch } from "../guard/touch.ts";
