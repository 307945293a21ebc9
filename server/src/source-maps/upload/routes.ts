import type { IncomingMessage } from 'node:http';
import { Type } from 'typebox';
import type { Store } from '../../database/database.ts';
import type { HttpApp } from '../../http/http-app.ts';
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
import { MAX_FORM_CHUNKS } from './read-chunk.ts';
import { BodyPieces, readPieces } from './read-pieces.ts';
import type { UploadThread } from './upload-thread.ts';

interface UploadDependencies extends Store {
  uploadThread: UploadThread;
  publicUrl: URL | null;
}

/** A chunk, with space for the delimiters and headers of a form, and for what compression may add. */
const MAX_FORM_BYTES = MAX_CHUNK_BYTES + 64 * 1024;
/** Chunks of the smallest size that a client could choose. */
const MAX_CHUNKS = 256;
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
const Stored = Type.Object({});

const route = routesOf<UploadDependencies>(tag);
/** A chunk is written, a bundle read or a map stored at a time, so that none waits for a connection. */
const turns = new KeyedQueue({ ...WAITING, maxRunning: 1, maxWaitingBytes: 16 * MAX_CHUNK_BYTES });
/**
 * Each bundle takes a turn for each of its maps, so that others wait for no whole bundle. Those of one organization
 * come one after the other, since they may be the same: a client repeats its request.
 */
const assemblies = new KeyedQueue({ ...WAITING, maxRunning: 8, maxRunningPerKey: 1 });
/** Clients repeat a request only after 503: most take any state but `error` for success. */
const refuse = () =>
  unavailable('Other uploads of source maps are in progress. Try again.', {
    retryAfterSeconds: RETRY_SECONDS,
  });

/** Endpoints by which the command line and the plugins of bundlers upload source maps. */
export const uploadRoutes = [
  route.get(path, {
    summary: 'Say how source maps are uploaded',
    description:
      'The command line and the plugins of bundlers ask for this address and these limits before each upload.',
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
    handle: async (request, { pool, uploadThread, clock }) => {
      const { organizationId } = requireOrganization(sessionOf(request), request.params.organization);
      const waiter = { key: organizationId, refuse };
      const takeTurn: TakeTurn = (work) => turns.run(waiter, work);
      const dependencies = { pool, clock, takeTurn, steps: uploadThread };
      return assemblies.run(waiter, () => assembleBundle(dependencies, organizationId, request.body));
    },
  }),
];

/** Registers the upload of chunks, in a scope of its own: its body is a form. */
function registerChunkUpload(app: HttpApp, { uploadThread, clock }: UploadDependencies): void {
  app.addHook('onClose', () => uploadThread.close());
  app.register(async (instance) => {
    const scope = instance as HttpApp;
    scope.addContentTypeParser(/^multipart\/form-data\s*;/i, (_request: unknown, payload: IncomingMessage) =>
      readPieces(payload, MAX_FORM_BYTES),
    );
    scope.post(
      path,
      {
        bodyLimit: MAX_FORM_BYTES,
        config,
        schema: {
          tags: [tag],
          summary: 'Upload chunks of a bundle',
          description: `A form (\`multipart/form-data\`) with a file \`file\`, or \`file_gzip\` in gzip, whose name is the SHA-1 of its content in hexadecimal. A chunk has at most ${MAX_CHUNK_BYTES / 1024} KiB, and waits for its bundle for a day.`,
          params,
          response: { 200: Stored },
        },
      },
      async (request, reply) => {
        const { organizationId } = requireOrganization(sessionOf(request), request.params.organization);
        const { body } = request;
        if (!(body instanceof BodyPieces))
          throw new ApiError('unsupported_media_type', 'The body must be a form (multipart/form-data).');
        const waiter = { key: organizationId, bytes: body.bytes, signal: goneSignal(reply.raw), refuse };
        const contentType = request.headers['content-type'] ?? '';
        const form = { organizationId, contentType, body: body.pieces, now: new Date(clock.now()) };
        await turns.run(waiter, () => uploadThread.storeChunk(form));
        return {};
      },
    );
  });
}
