import { createHttpApp, type HttpAppOptions } from '../../src/http/app.ts';
import type { HttpApp } from '../../src/http/http-app.ts';
import { createLog } from '../../src/platform/log.ts';
import { createMetrics } from '../../src/roles/metrics.ts';
import { atEnd } from './at-end.ts';

/** Creates an application without routes, which closes at the end of the test. */
export async function createTestApp(options: Partial<HttpAppOptions> = {}): Promise<HttpApp> {
  const app = await createHttpApp({
    service: 'management',
    log: createLog('silent'),
    metrics: createMetrics(),
    trustProxy: false,
    bodyLimit: 1_000,
    requestTimeoutMs: 10_000,
    decompressRequests: false,
    compressResponses: false,
    ...options,
  });
  atEnd(() => app.close());
  return app;
}
