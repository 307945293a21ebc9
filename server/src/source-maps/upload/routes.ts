import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import type { Pool, Store } from '../../database/database.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { decompress } from '../../http/request-encodings.ts';
import { routesOf } from '../../http/route.ts';
import { IdText } from '../../http/schemas.ts';
import { goneSignal } from '../../http/sockets/gone-signal.ts';
import { ApiError } from '../../platform/errors.ts';
import { KeyedQueue } from '../../platform/keyed-queue.ts';
import { unavailable } from '../../platform/unavailable.ts';
import { requireOrganization } from '../../releases/require-organization.ts';
import { sessionOf } from '../../tenancy/session.ts';
import { MAX_BUNDLE_BYTES, MAX_CHUNK_BYTES } from '../limits.ts';
import { assembleBundle, type TakeTurn } from './assemble-bundle.ts';
import { upsertChunk } from './queries.ts';
import { type Part, readParts } from './read-parts.ts';

interface UploadDependencies extends Store {
  /** Pool for what uploads write, so that nothing else waits for it. */
  uploadPool: Pool;
  publicUrl: URL | null;
}

/** Space for the delimiters and headers of a form, and for what compression may add. */
const FORM_BYTES = 64 * 1024;
/** Chunks of the smallest size that a client could choose. */
const MAX_CHUNKS = 256;
/** Maximum chunks of a form, each of which is written before another organization has its turn. */
const MAX_FORM_CHUNKS = 1;
const MAX_PROJECTS = 100;
const WAITING = { maxWaiting: 16, maxShare: 1 / 2, maxWaitMs: 30_000 };
const RETRY_SECONDS = 10;

const tag = 'Sentry’s command line';
const path = '/api/0/organizations/:organization/chunk-upload/';
const config = { scopes: ['write', 'releases'] as const };
const params = Type.Object({ organization: IdText });
const Sha1 = Type.String({ pattern: '^[0-9a-f]{40}$' });

const Options = Type.Object({
  url: Type.String(),
  chunkSize: Type.Integer(),
  chunksPerRequest: Type.Integer(),
  maxRequestSize: Type.Integer(),
  maxFileSize: Type.Integer(),
  concurrency: Type.Integer(),
  hashAlgorithm: Type.Literal('sha1'),
  compression: Type.Array(Type.String()),
  accept: Type.Array(Type.String()),
});
const Assembly = Type.Object({
  state: Type.Enum(['ok', 'not_found', 'error']),
  missingChunks: Type.Array(Type.String(), { description: 'Chunks to be uploaded before the same request.' }),
  detail: Type.Optional(Type.String({ description: 'Reason for which the bundle is refused (`error`).' })),
});

const route = routesOf<UploadDependencies>(tag);
/** A chunk is written, a bundle read or a map stored at a time, so that none waits for a connection. */
const turns = new KeyedQueue({ ...WAITING, maxRunning: 1, maxWaitingBytes: 16 * MAX_CHUNK_BYTES });
/**
 * Each bundle takes a turn for each of its maps, so that others wait for no whole bundle. Those of one organization
 * come one after the other, since they may be the same: a client repeats its request. Each holds two chunks.
 */
const assemblies = new KeyedQueue({ ...WAITING, maxRunning: 8, maxRunningPerKey: 1 });
/** Clients repeat a request after 503 alone: any other state than `error` is the end of it for most of them. */
const refuse = () =>
  unavailable('Other uploads of source maps are in progress. Try again.', {
    retryAfterSeconds: RETRY_SECONDS,
  });

/** Endpoints by which the command line and the plugins of bundlers upload source maps. */
export const uploadRoutes = [
  route.get(path, {
    summary: 'Say how source maps are uploaded',
    config,
    params,
    answer: Options,
    handle: (request, { publicUrl }) => {
      const { organization } = request.params;
      requireOrganization(sessionOf(request), organization);
      // Sentry’s own programs complete an address below `/api/0/`: so it holds behind any proxy.
      const isRelative = request.headers['user-agent']?.startsWith('sentry-cli/') === true;
      const origin = publicUrl?.origin ?? `${request.protocol}://${request.host}`;
      return {
        url: `${isRelative ? '' : `${origin}/api/0/`}organizations/${organization}/chunk-upload/`,
        chunkSize: MAX_CHUNK_BYTES,
        chunksPerRequest: MAX_FORM_CHUNKS,
        maxRequestSize: MAX_CHUNK_BYTES,
        maxFileSize: MAX_BUNDLE_BYTES,
        concurrency: 1,
        hashAlgorithm: 'sha1' as const,
        // Files of a bundle are compressed: again, they would become longer.
        compression: [],
        accept: ['release_files', 'sources', 'artifact_bundles'],
      };
    },
  }),

  registerChunkUpload,

  route.post('/api/0/organizations/:organization/artifactbundle/assemble/', {
    summary: 'Assemble a bundle of source maps from its chunks',
    description:
      'Stores the maps of its `manifest.json` that have a debug id, in each project. A map of another content takes the place of the one of its debug id.',
    config,
    params,
    body: Type.Object({
      checksum: Sha1,
      chunks: Type.Array(Sha1, { minItems: 1, maxItems: MAX_CHUNKS }),
      projects: Type.Array(IdText, { minItems: 1, maxItems: MAX_PROJECTS }),
    }),
    answer: Assembly,
    handle: async (request, { pool, uploadPool, clock }) => {
      const { organizationId } = requireOrganization(sessionOf(request), request.params.organization);
      const waiter = { key: organizationId, refuse };
      const takeTurn: TakeTurn = (work) => turns.run(waiter, work);
      const dependencies = { pool, uploads: { pool: uploadPool, clock }, takeTurn };
      return assemblies.run(waiter, () => assembleBundle(dependencies, organizationId, request.body));
    },
  }),
];

/** Registers the upload of chunks, in a scope of its own: its body is a form. */
function registerChunkUpload(app: HttpApp, { uploadPool, clock }: UploadDependencies): void {
  app.register(async (instance) => {
    const scope = instance as HttpApp;
    scope.addContentTypeParser<Buffer>(
      /^multipart\/form-data\s*;/i,
      { parseAs: 'buffer' },
      (_request, body, done) => done(null, body),
    );
    scope.post(
      path,
      {
        bodyLimit: MAX_CHUNK_BYTES + FORM_BYTES,
        config,
        schema: {
          tags: [tag],
          summary: 'Upload chunks of a bundle',
          description: `A form (\`multipart/form-data\`) with a file \`file\`, or \`file_gzip\` in gzip, whose name is the SHA-1 of its content in hexadecimal. A chunk has at most ${MAX_CHUNK_BYTES / 1024} KiB, and waits for its bundle for a day.`,
          params,
          response: { 200: Type.Object({}) },
        },
      },
      async (request, reply) => {
        const { organizationId } = requireOrganization(sessionOf(request), request.params.organization);
        const { body } = request;
        if (!Buffer.isBuffer(body))
          throw new ApiError('unsupported_media_type', 'The body must be a form (multipart/form-data).');
        const parts = readParts(body, request.headers['content-type'] ?? '');
        if (parts.length > MAX_FORM_CHUNKS)
          throw new ApiError('bad_request', 'The form has more than one chunk.');
        const waiter = { key: organizationId, bytes: body.length, signal: goneSignal(reply.raw), refuse };
        await turns.run(waiter, async () => {
          for (const part of parts) {
            const bytes = await readChunk(part);
            const checksum = Buffer.from(part.fileName, 'hex');
            await upsertChunk(uploadPool, organizationId, { checksum, bytes, now: new Date(clock.now()) });
          }
        });
        return {};
      },
    );
  });
}

/** @throws ApiError `bad_request`, `body_too_large` */
async function readChunk({ name, fileName, content }: Part): Promise<Buffer> {
  if (name !== 'file' && name !== 'file_gzip')
    throw new ApiError('bad_request', 'A chunk is a file of the field file, or file_gzip.');
  const encoding = name === 'file_gzip' ? 'gzip' : undefined;
  const bytes = await decompress(content, encoding, MAX_CHUNK_BYTES);
  if (bytes.length > MAX_CHUNK_BYTES) throw new ApiError('body_too_large', 'The chunk is too large.');
  if (createHash('sha1').update(bytes).digest('hex') !== fileName)
    throw new ApiError('bad_request', 'The name of a chunk must be the SHA-1 of its content.');
  return bytes;
}
