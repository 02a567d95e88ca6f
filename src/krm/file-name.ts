/** Names of files, cut where a file system would not take them, and told apart by a hash. */

/** The bytes of a name on ext4, XFS and APFS (`NAME_MAX`). */
const NAME_MAX = 255;

/** `<kind>-<name>.yaml`; a name of Kubernetes may itself be 253 bytes long. */
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
 * A name that is too long ends in a hash of the whole: two names that are cut stay two, also where somebody chooses
 * them to be alike.
 */
export function within(name: string, bytes: number): string {
  if (Buffer.byteLength(name) <= bytes) return name;
  // Loaded when it is needed: names are short.
  const hash = process.getBuiltinModule("node:crypto").createHash("sha256").update(name).digest("hex").slice(0, 32);
  const start = Buffer.from(name).subarray(0, bytes - hash.length - 1);
  // A character that is cut in two waits for its rest, and is left out.
  return `${new TextDecoder().decode(start, { stream: true })}-${hash}`;
}
