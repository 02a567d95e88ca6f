/** The few types of ASN.1 that a certificate is written in: values in, DER out (X.690). */

const CONSTRUCTED = 0x20;
const CONTEXT = 0x80;

export type Der = Buffer;

function element(tag: number, ...contents: readonly Buffer[]): Der {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}

/** Up to 127 in one byte; beyond, the number of bytes that follow comes first. */
function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes = bigEndian(length);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

function bigEndian(value: number): number[] {
  return value < 0x100 ? [value] : [...bigEndian(Math.floor(value / 0x100)), value % 0x100];
}

export function sequence(...parts: readonly Der[]): Der {
  return element(0x10 | CONSTRUCTED, ...parts);
}

export function set(...parts: readonly Der[]): Der {
  return element(0x11 | CONSTRUCTED, ...parts);
}

/** Not negative; a first bit that is set would be a sign. */
export function integer(bytes: Buffer): Der {
  return element(0x02, (bytes[0] ?? 0) < 0x80 ? bytes : Buffer.concat([Buffer.from([0]), bytes]));
}

export function isTrue(): Der {
  return element(0x01, Buffer.from([0xff]));
}

export function octets(content: Buffer): Der {
  return element(0x04, content);
}

/** @param unused how many bits at the end do not count */
export function bits(content: Buffer, unused = 0): Der {
  return element(0x03, Buffer.from([unused]), content);
}

export function utf8(text: string): Der {
  return element(0x0c, Buffer.from(text, "utf8"));
}

/** An object identifier, as `2.5.29.19`. */
export function oid(text: string): Der {
  const [first = 0, second = 0, ...rest] = text.split(".").map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** Seven bits a byte; all but the last have the eighth. */
function base128(value: number): number[] {
  const bytes = [value % 0x80];
  for (let rest = Math.floor(value / 0x80); rest > 0; rest = Math.floor(rest / 0x80))
    bytes.unshift(0x80 | (rest % 0x80));
  return bytes;
}

/** To the second; certificates write years from 2050 on with four digits (RFC 5280, 4.1.2.5). */
export function time(moment: Date): Der {
  const digits = moment.toISOString().replaceAll(/\.\d+|[-:T]/g, "");
  return moment.getUTCFullYear() < 2050
    ? element(0x17, Buffer.from(digits.slice(2)))
    : element(0x18, Buffer.from(digits));
}

/** `[number]` around a whole value. */
export function explicit(number: number, part: Der): Der {
  return element(CONTEXT | CONSTRUCTED | number, part);
}

/** `[number]` in the place of the value's own type. */
export function implicit(number: number, content: Buffer): Der {
  return element(CONTEXT | number, content);
}
