/** How fast the machine is just now: the CPU that the same work takes, as a multiple of what it took where the bounds were set, out. */

/** Milliseconds of CPU that the work took there, at best. */
const REFERENCE_MS = 60;
const TIMES = 7;

const LIST = JSON.stringify(
  Array.from({ length: 20_000 }, (_, index) => ({ name: `n${index}`, index, isEven: index % 2 === 0 })),
);

/** At least 1: a fast machine gets no narrower bound. */
export function slowness(): number {
  const took = Array.from({ length: TIMES }, () => {
    const before = process.cpuUsage();
    for (let turn = 0; turn < 5; turn++) JSON.stringify(JSON.parse(LIST));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.max(1, Math.min(...took) / REFERENCE_MS);
}
