import type { FastifyRequest } from 'fastify';
import type { ApiError } from '../platform/errors.ts';
import { parseStrictJson } from '../platform/json/strict-json.ts';
import type { HttpApp } from './http-app.ts';
import { decompress } from './request-encodings.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Error of a body that cannot be parsed as JSON; null: there is none. */
    bodyFailure: ApiError | null;
  }
}

/**
 * Installs the parser of JSON. An empty body counts as none, whatever its content type: a logout may have one. A body
 * that is not JSON is refused one step later: the framework closes the connection after a parser's refusal, as if
 * more of the body were to come.
 */
export function installJsonParser(app: HttpApp): void {
  app.decorateRequest('bodyFailure', null);
  app.addHook('preValidation', (request, _reply, done) => done(request.bodyFailure ?? undefined));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    /^application\/(?:[\w.-]+\+)?json(?:\s*;|$)/i,
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      const { headers, routeOptions } = request;
      try {
        const bytes = await decompress(body, headers['content-encoding'], routeOptions.bodyLimit);
        return bytes.length === 0 ? undefined : parseStrictJson(bytes);
      } catch (error) {
        // Both throw nothing else.
        request.bodyFailure = error as ApiError;
        return undefined;
      }
    },
  );
}
