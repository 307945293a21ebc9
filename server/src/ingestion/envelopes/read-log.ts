import { isObject, type JsonObject, toObject } from '../../platform/json/json-object.ts';
import { Changes } from '../event/changes.ts';
import { MAX_MESSAGE_LENGTH } from '../event/schema.ts';
import { toStorableJson } from '../event/storable-json.ts';
import type { Observation } from '../event/to-event.ts';
import { toText } from './json-values.ts';
import { compact, readRelease, toCorrelation, toSeverity, toSource } from './observation-parts.ts';
import { correctTime, type RequestTimes } from './read-time.ts';

/** `order_id`, `user.id`, `requestId`. */
const ID_NAME = /(?:^|[._])id$|[a-z]Id$/;
/** Attributes that clients add by themselves. */
const OWN_ATTRIBUTE = /^(?:sentry|server|os|device|browser)\./;

/** Reads a record of a log as it was parsed; its values are in `attributes`, each with its type. */
export function readLog(record: JsonObject, times: RequestTimes): Observation {
  const changes = new Changes();
  changes.add('fields', toStorableJson(record).isChanged);
  const attributes = Object.entries(toObject(record.attributes)).map(
    ([name, attribute]) => [name, isObject(attribute) ? attribute.value : attribute] as const,
  );
  const values = new Map<string, unknown>(attributes);
  const { release, name } = readRelease(values.get('sentry.release'), changes);
  const { capturedAtMs, isCorrected } = correctTime(record.timestamp, times);
  changes.add('clock', isCorrected);
  return {
    type: 'log',
    severity: record.level === undefined ? 'info' : toSeverity(record.level),
    source: toSource(
      [values.get('service.name'), values.get('service'), name, platformOf(values.get('sentry.sdk.name'))],
      changes,
    ),
    message: changes.shorten(toText(record.body) ?? '', MAX_MESSAGE_LENGTH),
    payload: compact({
      ...Object.fromEntries(attributes),
      level: record.level,
      timestamp: isCorrected ? record.timestamp : undefined,
    }),
    correlation: toCorrelation(
      [
        ['user_id', values.get('user.id')],
        ['trace_id', record.trace_id],
        ...attributes
          .filter(([key]) => ID_NAME.test(key) && !OWN_ATTRIBUTE.test(key))
          .map(([key, value]) => [key.replaceAll('.', '_'), value] as const),
      ],
      changes,
    ),
    release,
    environment: changes.shortenEnvironment(toText(values.get('sentry.environment'))),
    capturedAtMs,
    changed: changes.list,
  };
}

/** `node` of `sentry.javascript.node`; `python` of `sentry.python.flask`. */
function platformOf(sdk: unknown): string | null {
  const [, language, runtime] = (toText(sdk) ?? '').split('.', 3);
  return (language === 'javascript' && runtime === 'node' ? runtime : language) ?? null;
}
