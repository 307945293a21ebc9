import { expect, it } from 'vitest';
import { startTestService } from '../support/service.ts';

it('answers a request although the last use of its token cannot be written', async () => {
  const service = await startTestService({ roles: ['management'] });
  const user = await service.signUp();
  const script = await user.createToken('read');
  await service.database.pool.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE disk_full; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON access_tokens EXECUTE FUNCTION refuse()`,
  );
  expect((await script.get('/incidents')).status).toBe(200);
});
