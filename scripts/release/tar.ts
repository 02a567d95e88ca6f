/** Writes a tar archive with the same bytes on every machine, which tar itself does not guarantee. */

export interface ArchivedFile {
  /** At most 100 characters. */
  readonly name: string;
  readonly bytes: Buffer;
  readonly executable?: boolean;
}

const BLOCK = 512;

/** @param time seconds since 1970, of every file */
export function tar(files: readonly ArchivedFile[], time: number): Buffer {
  const parts = files.flatMap((file) => [
    header(file, time),
    file.bytes,
    Buffer.alloc((BLOCK - (file.bytes.length % BLOCK)) % BLOCK),
  ]);
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

/** The header of POSIX (ustar): numbers in octal, the owner is root. */
function header({ name, bytes, executable = false }: ArchivedFile, time: number): Buffer {
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long a name for this archive`);
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, length: number): void => {
    block.write(`${value.toString(8).padStart(length - 1, "0")}\0`, at, "ascii");
  };
  block.write(name, 0);
  octal(executable ? 0o755 : 0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(bytes.length, 124, 12);
  octal(time, 136, 12);
  block.write("0", 156, "ascii");
  block.write("ustar\x0000", 257, "ascii");
  block.write("root", 265, "ascii");
  block.write("root", 297, "ascii");
  // The checksum counts its own bytes as spaces.
  block.fill(" ", 148, 156);
  block.write(
    `${block
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, "0")}\0 `,
    148,
    "ascii",
  );
  return block;
}
