import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { HttpApp } from '../http/http-app.ts';
import { ApiError } from '../platform/errors.ts';

/** What the build of the dashboard leaves, beside the server in the repository. */
const BUILT_DASHBOARD = fileURLToPath(new URL('../../../dashboard/dist/', import.meta.url));
/** One small page, for where the server alone was built. */
const STAND_IN = fileURLToPath(new URL('../../public/app/', import.meta.url));

/** Folders, then a name with an extension; nothing that begins with a dot. */
const FILE = /^(?:[\w-]+\/)*[\w-][\w.-]*\.\w+$/;

/** Its name has to stay: browsers look there for a newer version. It controls what lies below its own folder, `/app/`. */
const PUSH_WORKER = 'push-worker.js';

/** The pages of links that carry a secret. No browser sends the fragment; these pages send no address at all. */
const SECRET_IN_FRAGMENT: ReadonlySet<string> = new Set(['join', 'reset']);

/** The dashboard under `/app`; `/` leads there. */
export async function registerDashboard(app: HttpApp, directory = BUILT_DASHBOARD): Promise<void> {
  app.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect('/app/'));
  app.get('/app', { schema: { hide: true } }, (_request, reply) => reply.redirect('/app/'));
  if (existsSync(path.join(directory, 'index.html'))) await serveApplication(app, directory);
  else {
    await app.register(fastifyStatic, {
      root: STAND_IN,
      prefix: '/app/',
      schemaHide: true,
      decorateReply: false,
    });
  }
}

/** A single-page application: whatever is no file is one of its own addresses, and answered with its page. */
async function serveApplication(app: HttpApp, directory: string): Promise<void> {
  // Where the build left `.br` and `.gz` beside a file these are sent; what has none is compressed on its way.
  await app.register(fastifyStatic, { root: directory, serve: false, preCompressed: true });
  app.get<{ Params: { '*': string } }>('/app/*', { schema: { hide: true } }, (request, reply) => {
    const file = request.params['*'];
    reply.header('vary', 'accept-encoding');
    // Their names hold a hash of what is in them.
    if (file.startsWith('assets/') && FILE.test(file))
      return reply.sendFile(file, { maxAge: '1y', immutable: true });
    if (file === PUSH_WORKER)
      return reply.header('cache-control', 'no-cache').sendFile(file, { cacheControl: false });
    if (FILE.test(file) && file !== 'index.html') return reply.sendFile(file);
    const name = file.slice(file.lastIndexOf('/') + 1);
    if (file !== 'index.html' && (name.includes('.') || !acceptsHtml(request.headers.accept)))
      throw new ApiError('not_found', 'There is nothing at this address.');
    if (SECRET_IN_FRAGMENT.has(file)) reply.header('referrer-policy', 'no-referrer');
    return reply.header('cache-control', 'no-cache').sendFile('index.html', { cacheControl: false });
  });
}

function acceptsHtml(accept = '*/*'): boolean {
  return /\btext\/(?:html|\*)|\*\/\*/i.test(accept);
}
