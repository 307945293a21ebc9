import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createTestDatabase } from './support/database.ts';
import { startDatabaseProxy } from './support/network-proxy.ts';
import { startTestService } from './support/service.ts';
import { waitFor } from './support/wait.ts';

describe('the log of a service', async () => {
  const database = await createTestDatabase();
  const proxy = await startDatabaseProxy(database.connectionString);
  const lines: Record<string, unknown>[] = [];
  const service = await startTestService({
    database: { ...database, connectionString: proxy.url },
    environment: { LOG_LEVEL: 'debug' },
    logDestination: { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  });
  const ada = await service.signUp();
  const project = await ada.createProject();

  it('logs a client that disconnects in the middle of its body only at level debug', async () => {
    const { hostname, port } = new URL(service.managementUrl);
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `POST /auth/login HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"email":`,
        () => socket.destroy(),
      );
    });
    const line = await waitFor('the line', () =>
      lines.find(({ msg }) => msg === 'the request was not served'),
    );
    expect(line).toMatchObject({ level: 'debug', route: '/auth/login' });
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('logs an outage in a few short lines, however many requests fail', async () => {
    proxy.refuse();
    const before = lines.length;
    const event = { type: 'order', severity: 'INFO', message: 'Order 48213 was paid' };
    const statuses = new Set<number>();
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => project.ingest.post('/ingest/events', event)),
      );
      for (const { status } of answers) statuses.add(status);
    }
    expect(statuses).toEqual(new Set([503]));
    const isOutage = ({ msg }: Record<string, unknown>) => String(msg).startsWith('requests failed');
    const count = () => lines.filter(isOutage).reduce((sum, { requests }) => sum + Number(requests), 0);
    await waitFor('all to be counted', () => count() >= 400);
    expect(count()).toBe(400);
    const outage = lines.slice(before).filter(isOutage);
    expect(outage.length).toBeLessThan(40);
    expect(JSON.stringify(outage)).not.toMatch(/stack|node_modules/);
    expect(lines.slice(before).filter(({ msg }) => msg === 'the request failed')).toEqual([]);
    // Twenty loops and two listeners try again meanwhile: a line for each way in which a connection fails.
    const others = lines.slice(before).filter((line) => !isOutage(line) && line['level'] !== 'debug');
    expect(new Set(others.map(({ msg }) => msg))).toEqual(
      new Set(['background work failed and is tried again']),
    );
    expect(others.length).toBeLessThan(10);
  });
});
