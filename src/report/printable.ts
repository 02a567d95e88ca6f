/** Text of the input in, text out that cannot steer a terminal: no escapes, no lines of its own, no other direction of reading. */

export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  const control = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
  return text.replaceAll("\t", " ").replaceAll(control, "\u{fffd}");
}
