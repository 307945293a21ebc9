import { Counter, Gauge, type Registry } from 'prom-client';
import { CHANNEL_KINDS } from '../channels/registry.ts';

/** Metrics of notifications. */
export interface DeliveryMetrics {
  notificationsSent: Counter<'kind'>;
  notificationAttemptsFailed: Counter<'kind'>;
  deliveriesPending: Gauge;
  deliveryAgeSeconds: Gauge;
  deliveriesHeld: Gauge;
  failingTargets: Gauge;
}

export function createDeliveryMetrics(registers: Registry[]): DeliveryMetrics {
  const metrics = {
    notificationsSent: new Counter({
      name: 'tocsin_notifications_sent_total',
      help: 'Messages that targets have accepted, edits included',
      labelNames: ['kind'],
      registers,
    }),
    notificationAttemptsFailed: new Counter({
      name: 'tocsin_notification_attempts_failed_total',
      help: 'Attempts to send a message that have failed',
      labelNames: ['kind'],
      registers,
    }),
    deliveriesPending: new Gauge({
      name: 'tocsin_deliveries_pending',
      help: 'Deliveries in the outbox that are not sent yet',
      registers,
    }),
    deliveryAgeSeconds: new Gauge({
      name: 'tocsin_delivery_age_seconds',
      help: 'How long the oldest delivery that was never attempted is due',
      registers,
    }),
    deliveriesHeld: new Gauge({
      name: 'tocsin_deliveries_held',
      help: 'Deliveries that wait for a person to release or drop them',
      registers,
    }),
    failingTargets: new Gauge({
      name: 'tocsin_notification_targets_failing',
      help: 'Targets that were failing at the last attempt, or that the service has disabled',
      registers,
    }),
  };
  for (const kind of CHANNEL_KINDS) {
    metrics.notificationsSent.inc({ kind }, 0);
    metrics.notificationAttemptsFailed.inc({ kind }, 0);
  }
  return metrics;
}
