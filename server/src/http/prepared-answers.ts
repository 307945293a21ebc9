import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { HttpApp } from './http-app.ts';

/** Content codings that prepared answers have, the best first. */
const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number] | 'identity';

/** Maximum items of `Accept-Encoding` that are read: a header has few codings. */
const MAX_ITEMS = 20;
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

/** One content in the codings that it is sent in: one that is compressed by itself has no other. */
export type PreparedBytes = Readonly<{ identity: Buffer } & Partial<Record<Coding, Buffer>>>;

interface PreparedAnswer {
  type: string;
  /** How long a client may use it without revalidation. */
  maxAgeSeconds: number;
  /** Called at the first request; again only after a failure. */
  load: () => Promise<PreparedBytes>;
}

const BROTLI_QUALITY = 9;

/** Serves bytes that are the same for all clients: compressed once, whatever clients accept. */
export function servePrepared(app: HttpApp, address: string, answer: PreparedAnswer): void {
  let loaded: Promise<{ bytes: PreparedBytes; digest: string }> | null = null;
  const load = () => {
    loaded ??= answer.load().then((bytes) => ({ bytes, digest: digestOf(bytes.identity) }));
    loaded.catch(() => (loaded = null));
    return loaded;
  };
  app.get(address, { schema: { hide: true }, compress: false }, async (request, reply) => {
    const { bytes, digest } = await load();
    const preferred = chooseCoding(request.headers['accept-encoding']);
    const [coding, body]: [Coding, Buffer] = bytes[preferred]
      ? [preferred, bytes[preferred]]
      : ['identity', bytes.identity];
    const etag = `"${digest}-${coding}"`;
    reply.headers({
      'cache-control': `public, max-age=${answer.maxAgeSeconds}`,
      vary: 'accept-encoding',
      etag,
    });
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
    if (coding !== 'identity') reply.header('content-encoding', coding);
    return reply.type(answer.type).send(body);
  });
}

export async function compressBytes(identity: Buffer): Promise<PreparedBytes> {
  const params = { [zlib.constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const [gzip, br] = await Promise.all([
    promisify(zlib.gzip)(identity),
    promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliCompress)(identity, { params }),
  ]);
  return { identity, gzip, br };
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
}

/** Returns the coding that a client prefers by `Accept-Encoding`; an item that cannot be read counts as refused. */
export function chooseCoding(header: string | undefined): Coding {
  const weights = new Map<string, number>();
  for (const item of (header ?? '').split(',', MAX_ITEMS)) {
    const [name = '', ...parameters] = item.split(';').map((text) => text.trim());
    weights.set(name.toLowerCase(), weightOf(parameters));
  }
  const others = weights.get('*') ?? 0;
  let [best, bestWeight]: [Coding, number] = ['identity', weights.get('identity') ?? 0];
  for (const coding of CODINGS) {
    const weight = weights.get(coding) ?? others;
    // At equal weight, the service prefers the smaller one.
    if (weight > bestWeight || (weight > 0 && weight === bestWeight && best === 'identity'))
      [best, bestWeight] = [coding, weight];
  }
  return best;
}

function weightOf(parameters: string[]): number {
  if (parameters.length === 0) return 1;
  const [, weight] = (parameters.length === 1 && WEIGHT.exec(parameters[0] ?? '')) || [];
  return weight === undefined ? 0 : Number(weight);
}
