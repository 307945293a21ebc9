import { expect, it } from 'vitest';
import { encryptAgain } from '../../src/maintenance/encrypt-again.ts';
import { updateTargetSecrets } from '../../src/notifications/targets/secret-queries.ts';
import { Encryption } from '../../src/platform/encryption/encryption.ts';
import { printedBy } from '../cli/support.ts';
import { ApiClient } from '../support/client.ts';
import { middleOf, StillClock } from '../support/clock.ts';
import { createTestDatabase } from '../support/database.ts';
import { startPushServer } from '../support/push-server.ts';
import { startTestService, type TestUser } from '../support/service.ts';
import { totpCode } from '../support/totp-code.ts';
import { waitFor } from '../support/wait.ts';
import { createWebhook, startWebhookTarget, verify } from '../support/webhook-target.ts';

const FORMER = 'the-former-key-of-these-tests-which-is-long';
const PRESENT = 'the-present-key-of-these-tests-which-is-long';
const STEP_MS = 30_000;
// In the middle of a step: no code of an authenticator app expires before its use.
const clock = new StillClock(middleOf(STEP_MS));
const database = await createTestDatabase();
const { pool } = database;
const serve = (keys: string, roles: ('management' | 'worker')[] = ['management']) =>
  startTestService({
    database,
    clock,
    roles,
    environment: { ENCRYPTION_KEY: keys, OUTBOUND_ALLOW: '127.0.0.1,localhost' },
  });
const former = await serve(FORMER);

/** Signs up a user with a webhook and an authenticator app, whose secrets are encrypted with the former key. */
async function setUp() {
  const user = await former.signUp();
  const webhook = await startWebhookTarget();
  const target = await createWebhook(user, webhook);
  const { id } = await user.createProject();
  const signing = { kind: 'stripe', secret: 'whsec_of_these_tests' };
  expect((await user.api.post(`/projects/${id}/hooks`, signing)).status).toBe(201);
  const { body: factor } = await user.api.post('/auth/totp/enrol', { password: user.password });
  const code = totpCode(factor.secret, clock.now() - 30_000);
  expect((await user.api.post('/auth/totp/activate', { code })).status).toBe(200);
  return { user, webhook, target, factor };
}

/** Stores secrets of web push: the keys of the installation, and the subscription of a browser. */
async function switchOnPush({ api }: TestUser): Promise<void> {
  const push = await startPushServer();
  const { publicKey } = (await api.get('/web-push/key')).body;
  const { subscription } = push.subscribe(publicKey);
  expect((await api.post('/web-push/browsers', subscription)).status).toBe(201);
}

async function storedKeys(): Promise<string[]> {
  const { rows } = await pool.query<{ key: string }>(
    `SELECT split_part(secret, ':', 1) AS key FROM (
      SELECT secret FROM totp_factors UNION ALL SELECT secrets FROM notification_targets WHERE secrets IS NOT NULL
      UNION ALL SELECT secrets FROM hooks WHERE secrets IS NOT NULL
      UNION ALL SELECT subscription FROM web_push_browsers UNION ALL SELECT private_key FROM web_push_keys) AS s`,
  );
  return [...new Set(rows.map(({ key }) => key))];
}

async function expectUsable({ user, webhook, target, factor }: Awaited<ReturnType<typeof setUp>>) {
  const present = await serve(PRESENT);
  const api = new ApiClient(present.managementUrl);
  api.cookie = user.api.cookie;
  expect((await api.post(`/notification-targets/${target.id}/test`)).body).toMatchObject({ ok: true });
  const [message] = webhook.received.slice(-1);
  if (message) verify(message, target.secret);
  expect(await logIn(present.managementUrl, user, totpCode(factor.secret, clock.now()))).toBe(200);
  await present.stop();
}

async function logIn(url: string, { email, password }: TestUser, code: string): Promise<number> {
  return (await new ApiClient(url).post('/auth/login', { email, password, code })).status;
}

it('lets a worker encrypt secrets of a former key with the present one, so that the former can be removed', async () => {
  const known = await setUp();
  await switchOnPush(known.user);
  const [before, ...others] = await storedKeys();
  expect(others).toEqual([]);
  const worker = await serve(`${PRESENT},${FORMER}`, ['worker']);
  await waitFor(
    'the secrets to be encrypted again',
    async () => !(await storedKeys()).includes(before ?? ''),
  );
  await worker.stop();
  await expectUsable(known);
  expect(await encryptAgain(pool, new Encryption([PRESENT]))).toEqual({ renewed: 0, unreadable: 0 });
});

it('encrypts secrets again by a command, which says when none is left', async () => {
  const known = await setUp();
  const environment = { DATABASE_URL: database.connectionString, ENCRYPTION_KEY: `${PRESENT},${FORMER}` };
  const run = () => printedBy(environment, ['encrypt-again']);
  expect(await run()).toBe('3 encrypted with the first key, 0 unreadable.\n');
  expect(await run()).toBe('0 encrypted with the first key, 0 unreadable.\n');
  await expectUsable(known);
});

it('keeps and counts secrets that no key can read', async () => {
  await setUp();
  const encryption = new Encryption([PRESENT, 'a-key-that-has-encrypted-nothing-so-far']);
  expect(await encryptAgain(pool, encryption)).toEqual({ renewed: 0, unreadable: 3 });
  expect(await encryptAgain(pool, new Encryption([PRESENT, FORMER]))).toEqual({ renewed: 3, unreadable: 0 });
});

it('skips a secret that is changed meanwhile', async () => {
  await setUp();
  const { rows } = await pool.query(
    'SELECT id, secrets AS secret FROM notification_targets ORDER BY id DESC LIMIT 1',
  );
  await pool.query('UPDATE notification_targets SET secrets = $2 WHERE id = $1', [rows[0].id, 'changed']);
  expect(await updateTargetSecrets(pool, rows[0], 'sealed')).toBe(false);
  expect(await updateTargetSecrets(pool, { id: rows[0].id, secret: 'changed' }, 'sealed')).toBe(true);
});
