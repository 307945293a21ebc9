import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { MAX_UNSENT_BYTES_PER_OWNER } from '../../src/http/unsent-bytes.ts';
import { startTestService } from '../support/service.ts';
import { storeEvents } from '../support/stored-events.ts';
import { waitFor } from '../support/wait.ts';

/** A page of one event that fits three times into what may wait for an organization. */
const PAGE_BYTES = Math.ceil(MAX_UNSENT_BYTES_PER_OWNER / 4) + 1;

it('refuses pages to an organization whose clients read none, and to no other, until these are gone', async () => {
  const service = await startTestService({ roles: ['management'] });
  const signUp = async () => {
    const user = await service.signUp();
    await storeEvents(service.database.pool, await user.createProject(), {
      count: 1,
      firstMs: service.context.clock.now() - 60_000,
      payload: `jsonb_build_object('text', repeat('a', ${PAGE_BYTES}))`,
    });
    return user;
  };
  const [slow, quick] = [await signUp(), await signUp()];
  const { hostname, port } = new URL(service.managementUrl);
  const head = `GET /events HTTP/1.1\r\nHost: localhost\r\nCookie: ${slow.api.cookie}\r\n\r\n`;
  const sockets: Socket[] = [];
  const askAndReadNothing = () => {
    const socket = connect(Number(port), hostname).pause();
    onTestFinished(() => void socket.destroy());
    socket.write(head);
    sockets.push(socket);
  };
  for (let asked = 0; asked < 3; asked++) askAndReadNothing();
  const ask = async ({ api }: typeof slow) => {
    const { status, body, headers } = await api.get('/events', {
      headers: { 'accept-encoding': 'identity' },
    });
    return { status, detail: body.detail ?? null, retryAfter: headers.get('retry-after') };
  };
  const refusal = await waitFor('a refusal', async () => {
    const answer = await ask(slow);
    // On a busy machine a read may also take too long, also one of those whose pages are to wait.
    if (answer.status === 200) askAndReadNothing();
    return answer.detail?.includes('your clients to read') && answer;
  });
  expect(refusal).toMatchObject({ status: 503, retryAfter: '5' });
  await waitFor('the page of another organization', async () => (await ask(quick)).status === 200);
  for (const socket of sockets) socket.destroy();
  await waitFor('room again', async () => (await ask(slow)).status === 200);
});
