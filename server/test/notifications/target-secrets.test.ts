import { expect, it } from 'vitest';
import { sealOpenSecrets } from '../../src/notifications/targets/seal-open-secrets.ts';
import { Encryption } from '../../src/platform/encryption/encryption.ts';
import { toUuid } from '../../src/platform/ids.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
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

it('encrypts the addresses of webhooks from before in the background, which are sent to and hidden meanwhile', async () => {
  const user = await service.signUp();
  const webhook = await startWebhookTarget();
  const target = await createWebhook(user, webhook);
  const { pool, encryption } = service.context;
  const id = toUuid('ntg', target.id) ?? '';
  const purpose = `notification_targets.secrets:${id}`;
  // As the version before has stored it: the address in the open, its signing key encrypted.
  await pool.query('UPDATE notification_targets SET config = $2, secrets = $3 WHERE id = $1', [
    id,
    JSON.stringify({ url: webhook.url }),
    encryption.encrypt(JSON.stringify({ secret: target.secret }), purpose),
  ]);
  const hidden = await user.api.get('/notification-targets');
  expect(hidden.body[0]).toMatchObject({ config: { host: new URL(webhook.url).host } });
  expect(JSON.stringify(hidden.body)).not.toContain(webhook.url);
  expect((await user.api.post(`/notification-targets/${target.id}/test`)).body).toMatchObject({ ok: true });
  expect(await sealOpenSecrets(pool, new Encryption([]))).toBe(0);
  expect(await sealOpenSecrets(pool, encryption)).toBe(1);
  const { rows } = await pool.query('SELECT config FROM notification_targets WHERE id = $1', [id]);
  expect(rows).toEqual([{ config: { host: new URL(webhook.url).host } }]);
  expect((await user.api.post(`/notification-targets/${target.id}/test`)).body).toMatchObject({ ok: true });
  expect(webhook.received).toHaveLength(2);
});

it('lets a worker encrypt them as it starts', async () => {
  const user = await service.signUp();
  const config = { url: 'https://hooks.example.com/hook' };
  const id = toUuid('ntg', (await createWebhook(user, config)).id) ?? '';
  const { pool } = service.context;
  await pool.query('UPDATE notification_targets SET config = $2 WHERE id = $1', [id, JSON.stringify(config)]);
  const worker = await startTestService({ roles: ['worker'], database: service.database });
  await waitFor('the address to be encrypted', async () => {
    const { rows } = await pool.query<{ isOpen: boolean }>(
      `SELECT config ? 'url' AS "isOpen" FROM notification_targets WHERE id = $1`,
      [id],
    );
    return rows[0]?.isOpen === false;
  });
  await worker.stop();
});
