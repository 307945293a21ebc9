import { Type } from 'typebox';
import type { Store } from '../../database/database.ts';
import { routesOf } from '../../http/route.ts';
import { IdText } from '../../http/schemas.ts';
import { sessionOf } from '../session.ts';
import { createToken } from './create-token.ts';
import { DEFAULT_TOKEN_DAYS } from './limits.ts';
import { listTokens } from './queries.ts';
import { revokeToken } from './revoke-token.ts';
import { CreatedToken, NewToken, Token, toToken } from './schema.ts';

const route = routesOf<Store>('Access tokens');

export const tokenRoutes = [
  route.get('/tokens', {
    summary: 'List your access tokens',
    description: 'Newest first; never the tokens themselves. Expired ones are listed for a week.',
    answer: Type.Array(Token),
    handle: async (request, store) => {
      const { organizationId, user } = sessionOf(request);
      return (await listTokens(store.pool, organizationId, user.id)).map((row) =>
        toToken(row, store.clock.now()),
      );
    },
  }),

  route.post('/tokens', {
    summary: 'Create an access token',
    description:
      'It acts for you in this organization, with the rights that you have at each request, and ends when you leave. Send it as `Authorization: Bearer`.',
    body: NewToken,
    answer: CreatedToken,
    status: 201,
    handle: async (request, store) => {
      const { name, scopes, expiresInDays = DEFAULT_TOKEN_DAYS } = request.body;
      const input = { name: name.trim(), scopes, expiresInDays };
      const { row, token } = await createToken(store, sessionOf(request), input);
      return { ...toToken(row, store.clock.now()), token };
    },
  }),

  route.delete('/tokens/:id', {
    summary: 'Revoke an access token',
    description: 'No request that starts after the answer is accepted with it, in any process.',
    params: Type.Object({ id: IdText }),
    handle: async (request, store) => {
      await revokeToken(store, sessionOf(request), request.params.id);
    },
  }),
];
