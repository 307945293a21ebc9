import { Type } from 'typebox';
import type { Config } from '../config.ts';
import type { HttpApp } from '../http/app.ts';

/** What clients need to know about the installation. */
export type ServiceConfig = Pick<Config, 'publicUrl' | 'ingestUrl' | 'ingestPort' | 'retentionDays'>;

const Service = Type.Object({
  ingestUrl: Type.String({
    description: 'Where applications send events; paths such as `/ingest/events` follow it.',
    examples: ['http://localhost:4100'],
  }),
  retentionDays: Type.Integer({ description: 'How many days events are kept.' }),
});

export function registerServiceRoute(app: HttpApp, config: ServiceConfig): void {
  app.get(
    '/service',
    {
      schema: {
        tags: ['Service'],
        summary: 'Where to send events, and how long they are kept',
        response: { 200: Service },
      },
    },
    (request) => ({
      ingestUrl: ingestAddress(config, `${request.protocol}://${request.host}`),
      retentionDays: config.retentionDays,
    }),
  );
}

/**
 * The address that applications send events to, without a trailing slash.
 * @param managementUrl the address of the management API; ingestion has the same host unless configured otherwise
 */
export function ingestAddress(
  { publicUrl, ingestUrl, ingestPort }: Pick<ServiceConfig, 'publicUrl' | 'ingestUrl' | 'ingestPort'>,
  managementUrl: string,
): string {
  if (ingestUrl) return `${ingestUrl.origin}${ingestUrl.pathname}`.replace(/\/+$/, '');
  const reached = URL.canParse(managementUrl) ? managementUrl : 'http://localhost';
  const url = new URL(publicUrl ?? reached);
  url.port = String(ingestPort);
  return url.origin;
}
