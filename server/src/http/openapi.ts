import swagger from '@fastify/swagger';
import { Type } from 'typebox';
import type { HttpApp } from './http-app.ts';
import { compressBytes, servePrepared } from './prepared-answers.ts';

/** Maximum age in caches: the document changes with an update of the service. */
const OPENAPI_MAX_AGE_SECONDS = 300;

const Problem = Type.Object({
  type: Type.String(),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String(),
  code: Type.String({ description: 'Stable: programs may rely on it.' }),
  requestId: Type.String(),
  errors: Type.Optional(Type.Array(Type.Object({ pointer: Type.String(), message: Type.String() }))),
});

/** Collects the routes' schemas into an OpenAPI 3.1 document, served at `/openapi.json`. Comes before the routes. */
export async function registerOpenApi(
  app: HttpApp,
  document: { title: string; description: string; scheme: 'session' | 'apiKey' },
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: document.title,
        description: document.description,
        version: '1',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      components: {
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: 'session' },
          apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
          token: { type: 'http', scheme: 'bearer', description: 'A personal access token (`tsn_pat_…`).' },
        },
        responses: {
          Problem: {
            description: 'Problem details (RFC 9457)',
            content: { 'application/problem+json': { schema: Problem } },
          },
        },
      },
      security: [{ [document.scheme]: [] }],
    },
    transformObject: (source) => ('openapiObject' in source ? withProblems(source.openapiObject) : {}),
  });
  servePrepared(app, '/openapi.json', {
    type: 'application/json; charset=utf-8',
    maxAgeSeconds: OPENAPI_MAX_AGE_SECONDS,
    load: () => compressBytes(Buffer.from(JSON.stringify(app.swagger()))),
  });
}

interface Operation {
  responses?: Record<string, unknown>;
  requestBody?: { required?: boolean; content: Record<string, { schema?: { type?: string | string[] } }> };
}

/** Adds a problem to the answers of every operation. */
function withProblems<T extends { paths?: object }>(openapi: T): T {
  for (const path of Object.values(openapi.paths ?? {})) {
    for (const operation of Object.values(path as Record<string, Operation>)) {
      if (operation.responses) operation.responses.default = { $ref: '#/components/responses/Problem' };
      // A body that may be null may be left out.
      const { requestBody } = operation;
      const bodies = Object.values(requestBody?.content ?? {});
      if (requestBody && bodies.some(({ schema }) => schema?.type?.includes('null')))
        requestBody.required = false;
    }
  }
  return openapi;
}
