import { MAX_SOURCE_LENGTH } from '../../events/limits.ts';
import { isObject, type JsonObject } from '../../platform/json/json-object.ts';
import { parseIsoTime } from '../../platform/time.ts';
import { Changes } from '../event/changes.ts';
import { idPairs, toCorrelation } from '../event/correlation.ts';
import { MAX_MESSAGE_LENGTH } from '../event/schema.ts';
import { parseStorableJson } from '../event/storable-json.ts';
import { clampCapture } from '../mappers/custom-event.ts';
import { fromWebhook } from '../mappers/webhook.ts';
import { type DeliveredRequest, type Delivery, objectIn, readId, textIn } from './delivery.ts';
import { standardHeader } from './find-signature-fault.ts';

/** Reads a request by Standard Webhooks as a webhook that was passed on, with the name of its hook as the source. */
export function readStandard({ headers, body, receivedAtMs, hookName }: DeliveredRequest): Delivery {
  const id = readId(standardHeader(headers, 'id'), 'webhook-id');
  const { value, isChanged } = parseStorableJson(body);
  const payload: JsonObject = isObject(value) ? value : { data: value };
  const event = textIn(payload, 'type') || textIn(payload, 'event') || 'webhook';
  const saidMs = parseIsoTime(textIn(payload, 'timestamp')) ?? receivedAtMs;
  const capturedAtMs = clampCapture(saidMs, receivedAtMs);
  const changes = new Changes();
  changes.add('fields', isChanged);
  changes.add('clock', capturedAtMs !== saidMs);
  const observation = fromWebhook({
    source: changes.cut(hookName, MAX_SOURCE_LENGTH),
    event: changes.cut(event, MAX_MESSAGE_LENGTH),
    payload,
    correlation: toCorrelation([...idPairs(objectIn(payload, 'data')), ...idPairs(payload)], changes),
  });
  return { id, observation: { ...observation, capturedAtMs, changed: changes.list } };
}
