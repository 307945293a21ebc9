import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { HttpApp } from '../http/http-app.ts';
import { allowRequestsTo } from '../http/static-pages.ts';
import { ApiError } from '../platform/errors.ts';
import type { IngestUrlOf } from '../tenancy/dsn.ts';

/** Output of the dashboard's build, beside the server in the repository. */
const BUILT_DASHBOARD = fileURLToPath(new URL('../../../dashboard/dist/', import.meta.url));
/** One small page, in case only the server was built. */
const STAND_IN = fileURLToPath(new URL('../../public/app/', import.meta.url));

/** Folders, then a name with an extension; nothing that begins with a dot. */
const FILE = /^(?:[\w-]+\/)*[\w-][\w.-]*\.\w+$/;

/** Fixed name: browsers look there for a newer version. It controls what lies below its own folder, `/app/`. */
const PUSH_WORKER = 'push-worker.js';

/** Pages of links that carry a secret. No browser sends the fragment; these pages send no address at all. */
const SECRET_IN_FRAGMENT: ReadonlySet<string> = new Set(['join', 'reset']);

/**
 * Serves the dashboard under `/app`; `/` redirects there.
 * @param ingestUrlOf address that applications send events to: the dashboard sends its sample errors there
 */
export async function registerDashboard(
  app: HttpApp,
  ingestUrlOf: IngestUrlOf,
  directory = BUILT_DASHBOARD,
): Promise<void> {
  app.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect('/app/'));
  app.get('/app', { schema: { hide: true } }, (_request, reply) => reply.redirect('/app/'));
  if (existsSync(path.join(directory, 'index.html'))) await serveApplication(app, ingestUrlOf, directory);
  else {
    await app.register(fastifyStatic, {
      root: STAND_IN,
      prefix: '/app/',
      schemaHide: true,
      decorateReply: false,
    });
  }
}

/** Serves a single-page application: any address that is not a file is one of its own, and answered with its page. */
async function serveApplication(app: HttpApp, ingestUrlOf: IngestUrlOf, directory: string): Promise<void> {
  // Files for which the build has `.br` and `.gz` are sent compressed; the others are compressed on the way.
  await app.register(fastifyStatic, { root: directory, serve: false, preCompressed: true });
  app.get<{ Params: { '*': string } }>('/app/*', { schema: { hide: true } }, (request, reply) => {
    const file = request.params['*'];
    reply.header('vary', 'accept-encoding');
    // Their names contain a hash of their content.
    if (file.startsWith('assets/') && FILE.test(file))
      return reply.sendFile(file, { maxAge: '1y', immutable: true });
    if (file === PUSH_WORKER)
      return reply.header('cache-control', 'no-cache').sendFile(file, { cacheControl: false });
    if (FILE.test(file) && file !== 'index.html') return reply.sendFile(file);
    const name = file.slice(file.lastIndexOf('/') + 1);
    if (file !== 'index.html' && (name.includes('.') || !acceptsHtml(request.headers.accept)))
      throw new ApiError('not_found', 'There is nothing at this address.');
    if (SECRET_IN_FRAGMENT.has(file)) reply.header('referrer-policy', 'no-referrer');
    allowRequestsTo(reply, new URL(ingestUrlOf(request)).origin);
    return reply.header('cache-control', 'no-cache').sendFile('index.html', { cacheControl: false });
  });
}

function acceptsHtml(accept = '*/*'): boolean {
  return /\btext\/(?:html|\*)|\*\/\*/i.test(accept);
}
