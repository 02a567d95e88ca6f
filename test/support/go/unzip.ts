/** Unpacks a folder of a zip archive to disk. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, normalize, sep } from "node:path";
import { inflateRawSync } from "node:zlib";

const END_OF_DIRECTORY = 0x06054b50;
const DEFLATED = 8;

/** Supports what Go modules' archives need: plain files below 4 GiB. Node has no zip reader. */
export async function unzip(archive: string, inside: string, target: string): Promise<void> {
  const zip = await readFile(archive);
  for (const { name, content } of entries(zip)) {
    if (!name.startsWith(inside) || name.endsWith("/")) continue;
    const file = normalize(join(target, name.slice(inside.length)));
    if (!file.startsWith(target + sep)) throw new Error(`${archive}: ${name} leads outside`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content());
  }
}

function* entries(zip: Buffer): Generator<{ name: string; content: () => Buffer }> {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || zip.readUInt32LE(end) !== END_OF_DIRECTORY) throw new Error("not a zip archive");
  let entry = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const nameLength = zip.readUInt16LE(entry + 28);
    const size = zip.readUInt32LE(entry + 20);
    const method = zip.readUInt16LE(entry + 10);
    const local = zip.readUInt32LE(entry + 42);
    yield {
      name: zip.toString("utf8", entry + 46, entry + 46 + nameLength),
      content: () => {
        // The lengths of the local header differ from those of the directory.
        const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
        const raw = zip.subarray(start, start + size);
        return method === DEFLATED ? inflateRawSync(raw) : raw;
      },
    };
    entry += 46 + nameLength + zip.readUInt16LE(entry + 30) + zip.readUInt16LE(entry + 32);
  }
}
