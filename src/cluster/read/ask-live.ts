/** What is asked of live clusters beside a watch: one part of the program, with one door. */
export { readLiveDump } from "./live-dump.ts";
export { readLiveRawSide } from "./live-raw-side.ts";
export { readLiveSide } from "./live-side.ts";
