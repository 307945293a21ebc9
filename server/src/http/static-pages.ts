import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import helmet from '@fastify/helmet';
import fastifyStatic from '@fastify/static';
import type { FastifyReply } from 'fastify';
import type { HttpApp } from './http-app.ts';
import { type PreparedBytes, servePrepared } from './prepared-answers.ts';

const PUBLIC_DIRECTORY = fileURLToPath(new URL('../../public/', import.meta.url));
/** The reference page's program (Scalar), which the build copies from its package and compresses. */
const REFERENCE_DIRECTORY = fileURLToPath(new URL('../../reference/', import.meta.url));
const REFERENCE_FILE = 'standalone.js';

/** No inline script, no eval, no other host, no frame around it. */
const STRICT_POLICY = {
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  connectSrc: ["'self'"],
  objectSrc: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
};

/** Features that no page of ours uses. */
const PERMISSIONS_POLICY = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb']
  .map((feature) => `${feature}=()`)
  .join(', ');

const HSTS_SECONDS = 365 * 24 * 60 * 60;

/**
 * Sets the security headers of every answer of the app; pages are served under them.
 * @param publicUrl if it begins with https, browsers are instructed to come back by https only
 */
export async function registerSecurityHeaders(app: HttpApp, publicUrl: URL | null): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: STRICT_POLICY },
    // For this name alone: names below it are not ours.
    strictTransportSecurity: publicUrl?.protocol === 'https:' && {
      maxAge: HSTS_SECONDS,
      includeSubDomains: false,
    },
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'same-origin' },
  });
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('permissions-policy', PERMISSIONS_POLICY);
    done();
  });
}

/** Names and addresses of hosts: anything else could end the directive. */
const ORIGIN = /^https?:\/\/[\w.:[\]-]+$/;

/** Lets the answered page send requests to another origin, too. */
export function allowRequestsTo(reply: FastifyReply, origin: string): void {
  const policy = reply.getHeader('content-security-policy');
  if (typeof policy !== 'string' || !ORIGIN.test(origin)) return;
  reply.header('content-security-policy', policy.replace("connect-src 'self'", `$& ${origin}`));
}

/**
 * The start at `/docs/`, and the reference of the API below it, over the document at `/openapi.json`.
 * @param hasStart false: `/docs/` leads to the reference, as the start is about the other service and its dashboard
 */
export async function registerReference(app: HttpApp, { hasStart }: { hasStart: boolean }): Promise<void> {
  await app.register(fastifyStatic, {
    root: path.join(PUBLIC_DIRECTORY, 'docs'),
    prefix: '/docs/',
    schemaHide: true,
    decorateReply: false,
    // The reference writes styles into its elements.
    setHeaders: (reply) =>
      void reply.setHeader(
        'content-security-policy',
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
      ),
  });
  servePrepared(app, `/docs/bundle/${REFERENCE_FILE}`, {
    type: 'text/javascript; charset=utf-8',
    maxAgeSeconds: 3_600,
    load: readReference,
  });
  const redirect = (from: string, to: string) =>
    app.get(from, { schema: { hide: true } }, (_request, reply) => reply.redirect(to));
  redirect('/docs', '/docs/');
  if (!hasStart) redirect('/docs/', '/docs/reference/');
}

async function readReference(): Promise<PreparedBytes> {
  const file = path.join(REFERENCE_DIRECTORY, REFERENCE_FILE);
  const [identity, gzip, br] = await Promise.all(
    [file, `${file}.gz`, `${file}.br`].map((name) => readFile(name)),
  );
  if (!identity || !gzip || !br) throw new Error('A file of the API reference is missing from the build.');
  return { identity, gzip, br };
}
