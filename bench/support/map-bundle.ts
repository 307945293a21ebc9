import { randomBytes, randomUUID } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';

const MAPS = 4;
const DEFLATED = 8;

/** A source map as it is in a bundle. */
interface PackedMap {
  packed: Buffer;
  bytes: number;
  crc: number;
}

/** Makes the maps of a bundle. @param packedBytes length of all of them in the bundle */
export function makeMaps(packedBytes: number): PackedMap[] {
  return Array.from({ length: MAPS }, () => {
    // Base64 is compressed to the bytes that it stands for.
    const content = Buffer.from(randomBytes(packedBytes / MAPS).toString('base64'));
    const packed = deflateRawSync(content, { level: 1 });
    return { packed, bytes: content.length, crc: crc32(content) };
  });
}

/** Makes a ZIP file of maps with new debug ids, as `sentry-cli` does. */
export function bundleOf(maps: readonly PackedMap[]): Buffer {
  const files: Record<string, object> = {};
  const entries = maps.map((map, index) => {
    const name = `files/_/_/${index}.js.map`;
    files[name] = { url: `~/${index}.js.map`, type: 'source_map', headers: { 'debug-id': randomUUID() } };
    return { name, ...map };
  });
  const manifest = Buffer.from(JSON.stringify({ files }));
  const [packed, bytes, crc] = [deflateRawSync(manifest), manifest.length, crc32(manifest)];
  return zipOf([...entries, { name: 'manifest.json', packed, bytes, crc }]);
}

function zipOf(entries: readonly (PackedMap & { name: string })[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, packed, bytes, crc } of entries) {
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(DEFLATED, 4);
    common.writeUInt32LE(crc, 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes, 18);
    common.writeUInt16LE(name.length, 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), common, tail, Buffer.from(name));
    const local = [Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name), packed];
    files.push(...local);
    for (const { length } of local) offset += length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, central, end]);
}
