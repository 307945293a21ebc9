import type { Config } from '../config.ts';
import type { Role } from './role.ts';
import type { RoleName } from './role-names.ts';
import { ingestAddress } from './service.ts';

/** Text printed after the start: the addresses, and three lines that send a first event. */
export function startupBanner(config: Config, roles: Role[]): string {
  const portOf = (name: RoleName) => roles.find((role) => role.name === name)?.port ?? null;
  const [managementPort, ingestionPort] = [portOf('management'), portOf('ingestion')];
  const management = config.publicUrl?.origin ?? `http://localhost:${managementPort}`;
  const ingestion = ingestAddress({ ...config, ingestPort: ingestionPort ?? config.ingestPort }, management);
  const lines: string[] = [''];
  if (managementPort !== null)
    lines.push(`  Dashboard      ${management}/app/`, `  API reference  ${management}/docs/`);
  if (ingestionPort !== null) lines.push(`  Ingestion      ${ingestion}`);
  if (managementPort !== null && ingestionPort !== null) {
    lines.push(
      '',
      '  Send a first event:',
      '',
      `  curl -sc tocsin.cookie ${management}/auth/signup -H 'Content-Type: application/json' -d '{"name":"Ada","email":"ada@example.com","password":"a long password"}'`,
      `  KEY=$(curl -sb tocsin.cookie ${management}/projects -H 'Content-Type: application/json' -d '{"name":"Shop"}' | sed 's/.*"apiKey":"\\([^"]*\\)".*/\\1/')`,
      `  curl -s ${ingestion}/ingest/events -H "X-Api-Key: $KEY" -H 'Content-Type: application/json' -d '{"type":"checkout","severity":"INFO","source":"Shop","message":"My first event"}'`,
      '',
      `  See it:  curl -sb tocsin.cookie ${management}/events`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}
