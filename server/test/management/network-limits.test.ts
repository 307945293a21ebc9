import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { StillClock } from '../support/clock.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';

const clock = new StillClock();
const service = await startTestService({
  roles: ['management'],
  clock,
  environment: { TRUST_PROXY: 'true' },
});
/** Returns a client in its own network of 64 bits. */
const from = (network: string, subnet: number) =>
  new ApiClient(service.managementUrl, { 'x-forwarded-for': `${network}:${subnet.toString(16)}::1` });

describe('the limits of an IPv6 network of 48 bits', () => {
  it('limits requests without a session from all addresses of a network together', async () => {
    const ask = (network: string, subnet: number) =>
      from(network, subnet).post('/auth/password-reset', { email: 'nobody@example.com' });
    for (let subnet = 0; subnet < 240; subnet++) expect((await ask('2001:db8:1', subnet)).status).toBe(202);
    const more = await Promise.all(Array.from({ length: 100 }, (_, index) => ask('2001:db8:1', 240 + index)));
    for (const answer of more) expectProblem(answer, 'too_many_requests');
    expect((await ask('2001:db8:2', 1)).status).toBe(202);
    clock.advance(60_000);
    expect((await ask('2001:db8:1', 500)).status).toBe(202);
  });

  it('limits wrong passwords from all addresses of a network together', async () => {
    const user = await service.signUp();
    const logIn = (network: string, subnet: number, password: string) =>
      from(network, subnet).post('/auth/login', { email: user.email, password });
    expectProblem(await logIn('2001:db8:3', 1, 'wrong'), 'invalid_credentials');
    const { pool } = service.database;
    const { rows } = await pool.query<{ subject: string; failed_at: Date }>(
      `SELECT subject, failed_at FROM login_failures WHERE subject LIKE 'network:%'`,
    );
    expect(rows.map(({ subject }) => subject)).toEqual(['network:2001:db8:3::/48']);
    await pool.query(
      `INSERT INTO login_failures (subject, failed_at)
        SELECT subject, failed_at FROM login_failures, generate_series(1, 1199) WHERE subject LIKE 'network:%'`,
    );
    expectProblem(await logIn('2001:db8:3', 2, user.password), 'too_many_logins');
    expect((await logIn('2001:db8:4', 1, user.password)).status).toBe(200);
  });
});
