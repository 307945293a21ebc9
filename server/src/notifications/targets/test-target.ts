import type { Pool } from '../../database/database.ts';
import { plainName } from '../../mail/plain-name.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Encryption } from '../../platform/encryption/encryption.ts';
import { newUuid, toId } from '../../platform/ids.ts';
import { attempt } from '../channels/attempt.ts';
import type { ChannelServices } from '../channels/base/services.ts';
import { CHANNELS } from '../channels/registry.ts';
import type { Links } from '../messages/links.ts';
import { testMessage } from '../messages/subject-messages.ts';
import type { SendRequest } from '../outgoing/send-request.ts';
import { openConfig } from './config.ts';
import { updateTested } from './queries.ts';
import type { TargetRow } from './target.ts';

export interface TestDependencies {
  pool: Pool;
  clock: Clock;
  encryption: Encryption;
  sendRequest: SendRequest;
  services: ChannelServices;
  links: Links;
}

export interface TestResult {
  ok: boolean;
  status: number | null;
  body: string;
  reason: string | null;
  elapsedMs: number;
}

/**
 * Sends a test message, by the function that sends every message. @throws ApiError `encryption_key_missing`,
 * `encryption_key_wrong`
 */
export async function testTarget(testing: TestDependencies, target: TargetRow): Promise<TestResult> {
  const { pool, clock, encryption, services, links, sendRequest } = testing;
  const nowMs = clock.now();
  const config = openConfig(encryption, target.id, target);
  const deliveryId = toId('dlv', newUuid(nowMs));
  const message = testMessage(plainName(target.name), { deliveryId, links, at: new Date(nowMs) });
  const { organizationId } = target;
  const given = { config, message, previous: null, organizationId, acceptedBy: [], nowMs, services };
  const { outcome, status, body, elapsedMs } = await attempt(CHANNELS[target.kind], given, sendRequest);
  const ok = outcome.kind === 'delivered' || outcome.kind === 'partial';
  if (ok) await updateTested(pool, organizationId, target.id, new Date(clock.now()));
  return { ok, status, body, reason: outcome.kind === 'delivered' ? null : outcome.reason, elapsedMs };
}
