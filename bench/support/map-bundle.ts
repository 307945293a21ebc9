import { randomBytes, randomUUID } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import { type PackedFile, zipPacked } from '@tocsin/simulation/zip';

const MAPS = 4;

/** A source map as it is in a bundle. */
type PackedMap = Omit<PackedFile, 'name'>;

/** Makes the maps of a bundle. @param packedBytes length of all of them in the bundle */
export function makeMaps(packedBytes: number): PackedMap[] {
  return Array.from({ length: MAPS }, () => {
    // Base64 is compressed to the bytes that it stands for.
    const content = Buffer.from(randomBytes(packedBytes / MAPS).toString('base64'));
    const packed = deflateRawSync(content, { level: 1 });
    return { packed, size: content.length, crc: crc32(content) };
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
  const [packed, size, crc] = [deflateRawSync(manifest), manifest.length, crc32(manifest)];
  return zipPacked([...entries, { name: 'manifest.json', packed, size, crc }]);
}
