import { MAX_TYPE_LENGTH } from '../../events/limits.ts';
import { toDecimal } from '../../events/money.ts';
import type { Severity } from '../../events/severity.ts';
import type { JsonObject } from '../../platform/json/json-object.ts';
import { parseIsoTime } from '../../platform/time.ts';
import { Changes } from '../event/changes.ts';
import { toCorrelation } from '../event/correlation.ts';
import { readAmount } from '../event/payment-amount.ts';
import { MAX_MESSAGE_LENGTH } from '../event/schema.ts';
import { clampCapture } from '../mappers/custom-event.ts';
import { isFailedPayment } from '../mappers/payment.ts';
import { type DeliveredRequest, type Delivery, objectIn, parseObject, readId, textIn } from './delivery.ts';

/** Payments that succeeded: with the failed ones, the payments whose share of failures is watched. */
const SUCCEEDED = /(^(charge|payment_intent)\.succeeded|\.payment_succeeded)$/;
const DISPUTED = /(^charge\.dispute\.|^radar\.early_fraud_warning\.)/;

/**
 * Reads an event of Stripe. One about the outcome of a payment becomes a payment, whatever object it is about; a thin
 * event (version 2) names its object without what is in it.
 */
export function readStripe({ body, receivedAtMs }: DeliveredRequest): Delivery {
  const { value, isChanged } = parseObject(body);
  const id = readId(value['id'], 'id');
  const type = readId(value['type'], 'type');
  const data = objectIn(value, 'data');
  const object = objectIn(data, 'object');
  const related = objectIn(value, 'related_object');
  const isFailed = isFailedPayment(type);
  const isPayment = isFailed || SUCCEEDED.test(type);
  const isLive = value['livemode'] === true;
  const createdMs = timeOf(value['created']) ?? receivedAtMs;
  const capturedAtMs = clampCapture(createdMs, receivedAtMs);
  const changes = new Changes();
  changes.add('fields', isChanged);
  changes.add('clock', capturedAtMs !== createdMs);
  return {
    id,
    observation: {
      type: isPayment ? 'payment' : changes.cut(type, MAX_TYPE_LENGTH),
      severity: severityOf(type),
      ...(isPayment && { failedPayment: isFailed }),
      source: isLive ? 'stripe' : 'stripe test',
      // Its money does not exist: no project watches it but one for development.
      environment: isLive ? undefined : 'development',
      message: changes.cut(describe(type, object, related), MAX_MESSAGE_LENGTH),
      // As a payment notice, so that its amount is found in the same place.
      payload: { ...value, type, id, data },
      correlation: toCorrelation(
        [
          ['order_id', objectIn(object, 'metadata')['order_id']],
          ['customer_id', idOf(object['customer'])],
          ['payment_intent_id', idOf(object['payment_intent'])],
          [`${textIn(object, 'object') || 'object'}_id`, object['id'] ?? related['id']],
        ],
        changes,
      ),
      capturedAtMs,
      changed: changes.list,
    },
  };
}

function severityOf(type: string): Severity {
  if (isFailedPayment(type)) return 'error';
  return DISPUTED.test(type) ? 'warn' : 'info';
}

function describe(type: string, object: JsonObject, related: JsonObject): string {
  const reason =
    textIn(object, 'failure_message') ||
    textIn(objectIn(object, 'last_payment_error'), 'message') ||
    textIn(object, 'reason');
  const about = [formatAmount(object), reason].filter(Boolean).join(', ');
  return [type, about || textIn(related, 'id')].filter(Boolean).join(': ');
}

/** `42.50 EUR`; empty without an amount. */
function formatAmount(object: JsonObject): string {
  const money = readAmount(object);
  return money ? `${toDecimal(String(money.amount), money.currency)} ${money.currency}` : '';
}

/** Returns the id of an object that Stripe names, or sends whole. */
function idOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'id' in value ? value.id : value;
}

/** Seconds; in a thin event ISO 8601. */
function timeOf(created: unknown): number | null {
  if (typeof created === 'string') return parseIsoTime(created);
  return typeof created === 'number' ? Math.floor(created * 1_000) : null;
}
