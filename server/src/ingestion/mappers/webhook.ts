import type { Static } from 'typebox';
import { toSeverity, type WebhookBody } from '../event/schema.ts';
import type { Observation } from '../event/to-event.ts';

export function fromWebhook(body: Static<typeof WebhookBody>): Observation {
  return {
    type: 'webhook',
    severity: toSeverity(body.severity ?? 'INFO'),
    source: body.source,
    message: body.event,
    payload: body.payload,
    correlation: body.correlation,
    environment: body.environment,
    fingerprint: body.fingerprint,
  };
}
