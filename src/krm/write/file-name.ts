/** File names, shortened to what file systems accept and kept unique by a hash. */

/** The longest name in bytes on ext4, XFS and APFS (`NAME_MAX`). */
const NAME_MAX = 255;

/** `<kind>-<name>.yaml`; a Kubernetes name may itself have 253 bytes. */
export function fileNameOf({
  kind,
  metadata,
}: {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}): string {
  const whole = `${kind.toLowerCase()}-${metadata.name}`;
  return `${within(whole, NAME_MAX - ".yaml".length)}.yaml`;
}

/**
 * A name that is too long ends in a hash of the whole name: two shortened names stay different, even if an attacker
 * chooses them to be alike.
 */
export function within(name: string, bytes: number): string {
  if (Buffer.byteLength(name) <= bytes) return name;
  // Loaded on first use: most names are short.
  const hash = process.getBuiltinModule("node:crypto").createHash("sha256").update(name).digest("hex").slice(0, 32);
  const start = Buffer.from(name).subarray(0, bytes - hash.length - 1);
  // The decoder holds back a character that is cut in two, which leaves it out.
  return `${new TextDecoder().decode(start, { stream: true })}-${hash}`;
}
