/** An IP address as text in, its 4 or 16 bytes out. */

/** @param text an address that node:net's isIP knows */
export function addressBytes(text: string): Buffer {
  if (!text.includes(":")) return Buffer.from(text.split(".").map(Number));
  const [before = "", after] = text.split("::");
  const [head, tail] = [groupsOf(before), groupsOf(after ?? "")];
  const gap = after === undefined ? [] : Array.from({ length: 8 - head.length - tail.length }, () => 0);
  return Buffer.from([...head, ...gap, ...tail].flatMap((group) => [group >> 8, group & 0xff]));
}

/** The last group may be an IPv4 address, which is two groups. */
function groupsOf(text: string): number[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => {
    if (!group.includes(".")) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split(".").map(Number);
    return [(a << 8) | b, (c << 8) | d];
  });
}
