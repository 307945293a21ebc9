import { expect, it } from 'vitest';
import { startTestService } from '../support/service.ts';

it('answers a request with a token whose last use cannot be written', async () => {
  const service = await startTestService({ roles: ['management'] });
  const user = await service.signUp();
  const { body } = await user.api.post('/tokens', { name: 'Script', scopes: ['read'] });
  await service.database.pool.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE disk_full; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON access_tokens EXECUTE FUNCTION refuse()`,
  );
  const answer = await fetch(`${service.managementUrl}/incidents`, {
    headers: { authorization: `Bearer ${body.token}` },
  });
  expect(answer.status).toBe(200);
});
