import { isObject, type JsonObject, toList } from '../../platform/json/json-object.ts';
import type { Observation } from '../event/to-event.ts';
import { numberOf, textOf } from './json-values.ts';
import { newItemRoom, readException, toObservation } from './observation.ts';
import { type Origin, SHARED_ROOM } from './origin.ts';
import { ValueRoom } from './value-room.ts';

/** Kinds of spans by their number. */
const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];

/** Converts each exception that a span recorded to an event; the span itself is not stored. */
export function* fromSpan(span: JsonObject, origin: Origin, receivedAtMs: number): Generator<Observation> {
  let description: JsonObject | null = null;
  const spanRoom = new ValueRoom(SHARED_ROOM);
  for (const event of toList(span.events)) {
    if (!isObject(event) || event.name !== 'exception') continue;
    description ??= describeSpan(span, spanRoom);
    const exception = readException(event.attributes);
    yield toObservation(
      {
        type: exception.type ?? 'exception',
        severity: 'error',
        message: exception.message ?? '',
        attributes: event.attributes,
        exception,
        traceId: span.traceId,
        spanId: span.spanId,
        times: [event.timeUnixNano],
        details: { span: description },
        isCut: spanRoom.isCut,
        room: newItemRoom(),
        origin,
      },
      receivedAtMs,
    );
  }
}

function describeSpan(span: JsonObject, room: ValueRoom): JsonObject {
  return {
    name: room.readText(textOf(span.name)),
    kind: KINDS[numberOf(span.kind) ?? 0] ?? 'unspecified',
    attributes: room.readAttributes(span.attributes),
  };
}
