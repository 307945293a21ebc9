import { MAX_TYPE_LENGTH } from '../../events/limits.ts';
import { isObject, type JsonObject, toList, toObject } from '../../platform/json/json-object.ts';
import { Changes } from '../event/changes.ts';
import { MAX_MESSAGE_LENGTH } from '../event/schema.ts';
import type { Observation } from '../event/to-event.ts';
import { readExceptions, readOwnFrames, toCause } from './exceptions.ts';
import { formatMessage } from './format-message.ts';
import { toText, toValues } from './json-values.ts';
import { compact, readRelease, tagPairs, toCorrelation, toSeverity, toSource } from './observation-parts.ts';
import { correctTime, type RequestTimes } from './read-time.ts';

const MAX_BREADCRUMBS = 100;
const MAX_IMAGES = 100;
/** Limits of the sender's own fingerprint. */
const MAX_PARTS = 32;
const MAX_PART_LENGTH = 1_024;
const MAX_TYPE = MAX_TYPE_LENGTH;

/** Reads an event of a Sentry client: an error with its causes, or a message. */
export function readEvent(event: JsonObject, times: RequestTimes, isChanged: boolean): Observation {
  const changes = new Changes();
  changes.add('fields', isChanged);
  const contexts = toObject(event.contexts);
  const exceptions = readExceptions(event, changes);
  const [thrown] = exceptions;
  const frames = thrown && thrown.frames.length > 0 ? thrown.frames : readOwnFrames(event, changes);
  const { release, name } = readRelease(event.release, changes);
  const { capturedAtMs, isCorrected } = correctTime(event.timestamp, times);
  changes.add('clock', isCorrected);
  const tags = tagPairs(event.tags);
  const service = tags.find(([key]) => key === 'service')?.[1];
  return {
    // A synthetic exception without a type is that of a message.
    type: changes.shorten(thrown?.type ?? 'message', MAX_TYPE),
    severity: toSeverity(event.level),
    source: toSource([service, toObject(contexts.app).app_name, name, event.platform], changes),
    message: changes.shorten(thrown?.value ?? formatMessage(event) ?? thrown?.type ?? '', MAX_MESSAGE_LENGTH),
    payload: compact({
      handled: thrown?.mechanism?.handled,
      mechanism: thrown?.mechanism?.type,
      frames: frames.length > 0 ? frames : undefined,
      causes: exceptions.length > 1 ? exceptions.slice(1).map((cause) => compact({ ...cause })) : undefined,
      transaction: event.transaction,
      request: readRequest(event.request),
      user: event.user,
      tags: Object.fromEntries(tags),
      extra: event.extra,
      contexts,
      breadcrumbs: readBreadcrumbs(event.breadcrumbs, changes),
      logger: event.logger,
      level: event.level,
      platform: event.platform,
      server_name: event.server_name,
      dist: event.dist,
      sdk: readSdk(event.sdk),
      debug_meta: readDebugMeta(event.debug_meta, changes),
      event_id: event.event_id,
      timestamp: isCorrected ? event.timestamp : undefined,
    }),
    correlation: toCorrelation(
      [
        ['user_id', toObject(event.user).id],
        ['trace_id', toObject(contexts.trace).trace_id],
        ...tags.filter(([key]) => key !== 'service'),
      ],
      changes,
    ),
    release,
    environment: changes.shortenEnvironment(toText(event.environment)),
    capturedAtMs,
    fingerprint: readFingerprint(event.fingerprint, changes),
    // Messages are grouped by their text: some clients send the frames that sent one, others do not.
    cause: thrown?.type ? toCause(exceptions) : undefined,
    // Last: everything above adds to it.
    changed: changes.list,
  };
}

function readFingerprint(value: unknown, changes: Changes): string[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  changes.add('fields', value.length > MAX_PARTS);
  return value.slice(0, MAX_PARTS).map((part) => changes.shorten(toText(part) ?? '', MAX_PART_LENGTH));
}

function readBreadcrumbs(value: unknown, changes: Changes): JsonObject[] | undefined {
  const breadcrumbs = toValues(value);
  changes.add('breadcrumbs', breadcrumbs.length > MAX_BREADCRUMBS);
  return breadcrumbs.length > 0 ? breadcrumbs.slice(-MAX_BREADCRUMBS) : undefined;
}

/** Images of the event, which lead from its frames to source maps. */
function readDebugMeta(value: unknown, changes: Changes): JsonObject {
  const images = toList(toObject(value).images).filter(isObject);
  changes.add('fields', images.length > MAX_IMAGES);
  return images.length > 0 ? { images: images.slice(0, MAX_IMAGES) } : {};
}

function readRequest(value: unknown): JsonObject {
  const { headers, ...request } = toObject(value);
  return compact({ ...request, headers: Object.fromEntries(tagPairs(headers)) });
}

function readSdk(value: unknown): JsonObject {
  const { name, version } = toObject(value);
  return compact({ name, version });
}
