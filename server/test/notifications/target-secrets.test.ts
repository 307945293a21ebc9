import { expect, it } from 'vitest';
import { startTestService } from '../support/service.ts';
import { createWebhook, startWebhookTarget } from '../support/webhook-target.ts';

const service = await startTestService({ environment: { OUTBOUND_ALLOW: '127.0.0.1' } });

it('sends a stored token to no other server, unless it is entered again', async () => {
  const user = await service.signUp();
  const [own, other] = [await startWebhookTarget(), await startWebhookTarget()];
  const serverOf = ({ url }: { url: string }) => new URL(url).origin;
  const created = await user.api.post('/notification-targets', {
    kind: 'ntfy',
    name: 'Telephone',
    config: { server: serverOf(own), topic: 'a', token: 'tk_THESECRET' },
  });
  const path = `/notification-targets/${created.body.id}`;
  const moved = await user.api.patch(path, { config: { server: serverOf(other) } });
  expect(moved).toMatchObject({
    status: 400,
    body: {
      code: 'validation_failed',
      detail: expect.stringContaining('enter token again'),
      errors: [{ pointer: '/config/token', message: expect.stringContaining('again') }],
    },
  });
  await user.api.post(`${path}/test`);
  expect(other.received).toEqual([]);
  expect(own.received[0]?.headers['authorization']).toBe('Bearer tk_THESECRET');
  expect((await user.api.patch(path, { config: { topic: 'b' } })).status).toBe(200);
  const again = { server: serverOf(other), token: 'tk_ANOTHER' };
  expect((await user.api.patch(path, { config: again })).status).toBe(200);
  await user.api.post(`${path}/test`);
  expect(other.received.map(({ headers }) => headers['authorization'])).toEqual(['Bearer tk_ANOTHER']);
});

it('shows only the host of a webhook, to OWNERs, members and in the audit log', async () => {
  const owner = await service.signUp();
  const member = await owner.addMember();
  const url = 'https://hooks.example.com/tocsin?secret=abc';
  const created = await createWebhook(owner, { url });
  await owner.api.patch(`/notification-targets/${created.id}`, { config: { url: `${url}def` } });
  const seen = [
    created,
    (await owner.api.get('/notification-targets')).body,
    (await member.api.get('/notification-targets')).body,
    (await owner.api.get('/organizations/audit')).body,
    (await service.database.pool.query('SELECT * FROM notification_targets')).rows,
    (await service.database.pool.query('SELECT * FROM audit_log')).rows,
  ];
  expect(JSON.stringify(seen)).not.toMatch(/secret=|\/tocsin/);
  expect(created).toMatchObject({ address: 'hooks.example.com', config: { host: 'hooks.example.com' } });
  const [changed] = (await owner.api.get('/organizations/audit')).body;
  expect(JSON.stringify(changed)).toContain('"changedSecrets":["url"]');
});
