import { Type } from 'typebox';
import type { Store } from '../../database/database.ts';
import type { HttpApp } from '../../http/app.ts';
import { IdText } from '../../http/schemas.ts';
import { sessionOf } from '../session.ts';
import { createToken } from './create-token.ts';
import { DEFAULT_TOKEN_DAYS } from './limits.ts';
import { listTokens } from './queries.ts';
import { revokeToken } from './revoke-token.ts';
import { CreatedToken, NewToken, Token, toToken } from './schema.ts';

const tags = ['Access tokens'];

export function registerTokenRoutes(app: HttpApp, store: Store): void {
  const { pool } = store;
  app.get(
    '/tokens',
    {
      schema: {
        tags,
        summary: 'List your access tokens',
        description: 'Newest first; never the tokens themselves. Expired ones are listed for a week.',
        response: { 200: Type.Array(Token) },
      },
    },
    async (request) => {
      const { organizationId, user } = sessionOf(request);
      return (await listTokens(pool, organizationId, user.id)).map((row) => toToken(row, store.clock.now()));
    },
  );

  app.post(
    '/tokens',
    {
      schema: {
        tags,
        summary: 'Create an access token',
        description:
          'It acts for you in this organization, with the rights that you have at each request, and ends when you leave. Send it as `Authorization: Bearer`.',
        body: NewToken,
        response: { 201: CreatedToken },
      },
    },
    async (request, reply) => {
      const { name, scopes, expiresInDays = DEFAULT_TOKEN_DAYS } = request.body;
      const input = { name: name.trim(), scopes, expiresInDays };
      const { row, token } = await createToken(store, sessionOf(request), input);
      return reply.code(201).send({ ...toToken(row, store.clock.now()), token });
    },
  );

  app.delete(
    '/tokens/:id',
    {
      schema: {
        tags,
        summary: 'Revoke an access token',
        description: 'No request that starts after the answer is accepted with it, in any process.',
        params: Type.Object({ id: IdText }),
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await revokeToken(store, sessionOf(request), request.params.id);
      return reply.code(204).send(null);
    },
  );
}
