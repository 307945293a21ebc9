import { type Static, Type } from 'typebox';
import type { Config } from '../config.ts';
import type { Pool } from '../database/database.ts';
import type { HttpApp } from '../http/http-app.ts';
import { isPublicHost } from '../http/public-host.ts';
import { Nullable } from '../http/schemas.ts';
import { hasUnconfirmedRecipient } from '../notifications/recipients/queries.ts';
import { hasFailingTarget } from '../notifications/targets/queries.ts';
import { type Session, sessionOf } from '../tenancy/session.ts';

/** Settings of the installation that clients need. */
export type ServiceConfig = Pick<
  Config,
  'publicUrl' | 'ingestUrl' | 'ingestPort' | 'singlePort' | 'retentionDays' | 'signUpMode'
>;

const Service = Type.Object({
  ingestUrl: Type.String({
    description: 'URL that applications send events to; paths such as `/ingest/events` follow it.',
    examples: ['http://localhost:4100'],
  }),
  retentionDays: Type.Integer({ description: 'Number of days for which events are kept.' }),
  publicUrl: Nullable(Type.String({ description: '`PUBLIC_URL`: without it, notifications have no links.' })),
  warnings: Type.Array(Type.Enum(['open_signup', 'failing_targets', 'unconfirmed_targets']), {
    description:
      'Problems that concern an OWNER; empty for others. `open_signup`: anyone can sign up at the public address. `failing_targets`: messages of a notification target do not arrive. `unconfirmed_targets`: an address of one has not confirmed that it wants them.',
  }),
});

export function registerServiceRoute(app: HttpApp, pool: Pool, config: ServiceConfig): void {
  app.get(
    '/service',
    {
      schema: {
        tags: ['Service'],
        summary: 'URL for events, and their retention',
        description: 'For setting up clients, with the warnings that an OWNER should see.',
        response: { 200: Service },
      },
    },
    async (request) => ({
      ingestUrl: ingestAddress(config, `${request.protocol}://${request.host}`),
      retentionDays: config.retentionDays,
      publicUrl: config.publicUrl?.href ?? null,
      warnings: await findWarnings(pool, config, sessionOf(request)),
    }),
  );
}

async function findWarnings(
  pool: Pool,
  config: ServiceConfig,
  { organizationId, role }: Session,
): Promise<Static<typeof Service>['warnings']> {
  if (role !== 'OWNER') return [];
  const isFailing = await hasFailingTarget(pool, organizationId);
  const isUnconfirmed = await hasUnconfirmedRecipient(pool, organizationId);
  return [
    ...(isSignUpPublic(config) ? (['open_signup'] as const) : []),
    ...(isFailing ? (['failing_targets'] as const) : []),
    ...(isUnconfirmed ? (['unconfirmed_targets'] as const) : []),
  ];
}

/** True if anyone on the internet can sign up, according to the configuration. */
export function isSignUpPublic({ publicUrl, signUpMode }: ServiceConfig): boolean {
  return signUpMode === 'open' && publicUrl !== null && isPublicHost(publicUrl);
}

/**
 * The address that applications send events to, without a trailing slash.
 * @param managementUrl address of the management API; ingestion has the same host unless configured otherwise
 */
export function ingestAddress(
  {
    publicUrl,
    ingestUrl,
    ingestPort,
    singlePort,
  }: Pick<ServiceConfig, 'publicUrl' | 'ingestUrl' | 'ingestPort' | 'singlePort'>,
  managementUrl: string,
): string {
  if (ingestUrl) return `${ingestUrl.origin}${ingestUrl.pathname}`.replace(/\/+$/, '');
  const reached = URL.canParse(managementUrl) ? managementUrl : 'http://localhost';
  const url = new URL(publicUrl ?? reached);
  if (!singlePort) url.port = String(ingestPort);
  return url.origin;
}
