import { createHash } from 'node:crypto';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { zipPacked } from '@tocsin/simulation/zip';
import { MAX_CHUNK_BYTES } from '../../src/source-maps/limits.ts';
import type { ApiClient } from '../support/client.ts';

export const sha1 = (bytes: Uint8Array) => createHash('sha1').update(bytes).digest('hex');

/** Claims of a ZIP file about an entry, in place of the truth. */
interface Claims {
  size?: number;
  crc?: number;
  method?: number;
  packedSize?: number;
}

export interface ZipEntry {
  name: string;
  content: Buffer;
  claims?: Claims;
}

/** Makes a ZIP file behind the header that bundles of Sentry begin with. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const packed = entries.map(({ name, content, claims }) => ({
    name,
    packed: deflateRawSync(content),
    size: content.length,
    crc: crc32(content),
    ...claims,
  }));
  return zipPacked(packed, Buffer.from('SYSB\x02\0\0\0', 'latin1'));
}

/** Makes a bundle of maps by their debug ids, as the command line does. */
export function bundleOf(maps: Record<string, unknown>, claims?: Claims): Buffer {
  const files: Record<string, object> = {};
  const entries: ZipEntry[] = Object.entries(maps).map(([debugId, map], index) => {
    const name = `files/_/_/${index}.js.map`;
    files[name] = { url: `~/${index}.js.map`, type: 'source_map', headers: { 'debug-id': debugId } };
    const content = Buffer.isBuffer(map) ? map : Buffer.from(JSON.stringify(map));
    return { name, content, ...(claims && { claims }) };
  });
  return zipOf([...entries, { name: 'manifest.json', content: Buffer.from(JSON.stringify({ files })) }]);
}

const BOUNDARY = '------------------------0123456789abcdef';

export function uploadChunk(
  token: ApiClient,
  organizationId: string,
  chunk: Buffer,
  { field = 'file_gzip', name = sha1(chunk) }: { field?: string; name?: string } = {},
) {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\n\r\n`;
  const content = field === 'file_gzip' ? gzipSync(chunk) : chunk;
  const body = Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
  return token.post(`/api/0/organizations/${organizationId}/chunk-upload/`, body, {
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  });
}

export function chunksOf(bundle: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bundle.length; at += MAX_CHUNK_BYTES)
    chunks.push(bundle.subarray(at, at + MAX_CHUNK_BYTES));
  return chunks;
}

export function assemble(token: ApiClient, organizationId: string, bundle: Buffer, projects: string[]) {
  return token.post(`/api/0/organizations/${organizationId}/artifactbundle/assemble/`, {
    checksum: sha1(bundle),
    chunks: chunksOf(bundle).map(sha1),
    projects,
    version: null,
    dist: null,
  });
}

/** Uploads a bundle, and answers what its last request was answered. */
export async function uploadBundle(
  token: ApiClient,
  organizationId: string,
  bundle: Buffer,
  projects: string[],
) {
  for (const chunk of chunksOf(bundle)) await uploadChunk(token, organizationId, chunk);
  return assemble(token, organizationId, bundle, projects);
}
