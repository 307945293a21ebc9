import type { Pool } from '../../database/database.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Encryption } from '../../platform/encryption/encryption.ts';
import type { Log } from '../../platform/log.ts';
import type { FrameMapper } from '../../source-maps/frames/frame-mapper.ts';
import type { ChannelServices } from '../channels/base/services.ts';
import type { Links } from '../messages/links.ts';
import type { SendRequest } from '../outgoing/send-request.ts';
import type { ClaimedTarget } from './lease-queries.ts';
import type { DeliveryMetrics } from './metrics.ts';
import type { ReadSituation } from './read-situation.ts';

export interface SendingDependencies {
  pool: Pool;
  frameMapper: FrameMapper;
  clock: Clock;
  log: Log;
  metrics: DeliveryMetrics;
  encryption: Encryption;
  sendRequest: SendRequest;
  services: ChannelServices;
  links: Links;
  /** Random number from 0 to 1. */
  random: () => number;
}

export interface SendContext extends SendingDependencies, Pick<ReadSituation, 'rows' | 'threads' | 'routes'> {
  target: ClaimedTarget;
  lease: Lease;
}

/** Lease of a target by this process. */
export interface Lease {
  holder: string;
  /** When it was acquired or extended. */
  sinceMs: number;
}

/** Reason to stop sending to a target before all is sent. */
export type Stop = { kind: 'goes_on' } | { kind: 'lost' } | { kind: 'wait'; untilMs: number };
