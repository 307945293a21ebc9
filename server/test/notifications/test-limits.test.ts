import { describe, expect, it } from 'vitest';
import { TestClock } from '../support/clock.ts';
import { startTestService } from '../support/service.ts';
import { createWebhook, startWebhookTarget } from '../support/webhook-target.ts';

const MINUTE_MS = 60_000;

describe('tests of notification targets', async () => {
  const clock = new TestClock();
  const service = await startTestService({
    clock,
    roles: ['management'],
    environment: { OUTBOUND_ALLOW: '127.0.0.1' },
  });
  const webhook = await startWebhookTarget();

  /** Signs up an organization with targets. @returns for each a function that tests it: seconds until the next, or 0 */
  async function setUp(targets: number) {
    const user = await service.signUp();
    return Promise.all(
      Array.from({ length: targets }, async () => {
        const { id } = await createWebhook(user, webhook);
        return async () => {
          const { status, body, headers } = await user.api.post(`/notification-targets/${id}/test`);
          if (status === 200) return 0;
          expect([status, body.code]).toEqual([429, 'too_many_tests']);
          return Number(headers.get('retry-after'));
        };
      }),
    );
  }

  it('refuses the sixth test of a target in any minute', async () => {
    const [test = async () => -1, other] = await setUp(2);
    for (let count = 0; count < 5; count++) expect(await test()).toBe(0);
    expect(await test()).toBeGreaterThan(0);
    expect(await other?.()).toBe(0);
    clock.advance(40_000);
    const seconds = await test();
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(20);
    clock.advance(20_000);
    expect(await test()).toBe(0);
  });

  it('refuses the 21st test of an organization in any hour, over all of its targets, and none of another one', async () => {
    const [tests, [other]] = [await setUp(5), await setUp(1)];
    for (const test of tests) for (let count = 0; count < 4; count++) expect(await test()).toBe(0);
    const before = webhook.received.length;
    expect(await tests[4]?.()).toBeGreaterThan(3_000);
    clock.advance(55 * MINUTE_MS);
    for (const test of tests) expect(await test()).toBeGreaterThan(0);
    expect(webhook.received).toHaveLength(before);
    expect(await other?.()).toBe(0);
    clock.advance(5 * MINUTE_MS);
    expect(await tests[0]?.()).toBe(0);
  });
});
