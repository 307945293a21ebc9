import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';

describe('what people need to know about the service', async () => {
  const service = await startTestService({
    roles: ['management'],
    environment: { INGEST_PORT: '4321', RETENTION_DAYS: '30' },
  });
  const user = await service.signUp();

  it('returns the ingestion port at the host of the request, and how long events are kept', async () => {
    const { status, body } = await user.api.get('/service');
    expect(status).toBe(200);
    expect(body).toEqual({
      ingestUrl: 'http://127.0.0.1:4321',
      retentionDays: 30,
      publicUrl: null,
      warnings: [],
    });
  });

  it('refuses the service information without a session', async () => {
    expectProblem(await new ApiClient(service.managementUrl).get('/service'), 'unauthenticated');
  });

  it.each([
    [{ PUBLIC_URL: 'https://tocsin.example.com' }, 'https://tocsin.example.com:4100'],
    [{ PUBLIC_URL: 'https://tocsin.example.com:8443/x' }, 'https://tocsin.example.com:4100'],
    [{ PUBLIC_URL: 'https://a.example.com', INGEST_URL: 'https://in.example.com' }, 'https://in.example.com'],
    [{ INGEST_URL: 'https://example.com/tocsin/' }, 'https://example.com/tocsin'],
  ])('returns for a service reached as %j the address %s', async (addresses, ingestUrl) => {
    const published = await startTestService({
      roles: ['management'],
      database: service.database,
      environment: { INGEST_PORT: '4100', ...addresses },
    });
    const client = new ApiClient(published.managementUrl);
    client.cookie = user.api.cookie;
    expect((await client.get('/service')).body.ingestUrl).toBe(ingestUrl);
    await published.stop();
  });
});
