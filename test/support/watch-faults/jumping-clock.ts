/**
 * Loaded before a program: its clock jumps by the next of the given milliseconds at each SIGUSR2. As when a machine's
 * time is set: what a date says changes at once, and timers, which count on another clock, go on.
 */
const jumps = (process.env["CLOCK_JUMPS"] ?? "").split(",").map(Number);
let offset = 0;

const RealDate = Date;

class JumpingDate extends RealDate {
  constructor(...given: readonly unknown[]) {
    if (given.length === 0) super(RealDate.now() + offset);
    else super(...(given as [number]));
  }

  static override now(): number {
    return RealDate.now() + offset;
  }
}

globalThis.Date = JumpingDate as DateConstructor;
process.on("SIGUSR2", () => {
  offset += jumps.shift() ?? 0;
});
