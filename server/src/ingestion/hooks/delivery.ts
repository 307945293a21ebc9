import type { IncomingHttpHeaders } from 'node:http';
import type { Static } from 'typebox';
import { ApiError } from '../../platform/errors.ts';
import { isObject, type JsonObject, toObject } from '../../platform/json/json-object.ts';
import type { DeployBody } from '../../releases/schema.ts';
import { parseStorableJson } from '../event/storable-json.ts';
import type { Observation } from '../event/to-event.ts';

/** Maximum length of the id that a sender gives a request. */
const MAX_ID_LENGTH = 200;

/** A verified request of a sender. */
export interface DeliveredRequest {
  headers: IncomingHttpHeaders;
  body: Buffer;
  receivedAtMs: number;
  /** Name of the hook. */
  hookName: string;
}

/** Content of a verified request: an event or a deploy, with the id by which its sender repeats it. */
export type Delivery = { id: string } & (
  | { observation: Observation }
  | { deploy: Static<typeof DeployBody> }
);

/** @throws ApiError `validation_failed` if there is none, or it is too long */
export function readId(id: unknown, name: string): string {
  if (typeof id === 'string' && id !== '' && id.length <= MAX_ID_LENGTH) return id;
  const detail = `${name} must be a text of 1 to ${MAX_ID_LENGTH} characters.`;
  throw new ApiError('validation_failed', detail);
}

/** @throws ApiError `malformed_json`, `validation_failed` */
export function parseObject(bytes: Buffer): { value: JsonObject; isChanged: boolean } {
  const { value, isChanged } = parseStorableJson(bytes);
  if (!isObject(value)) throw new ApiError('validation_failed', 'The body is no JSON object.');
  return { value, isChanged };
}

/** Returns the object in a field; an empty one if there is none. */
export function objectIn(value: JsonObject, name: string): JsonObject {
  return toObject(value[name]);
}

/** Returns the text in a field; empty if there is none. */
export function textIn(value: JsonObject, name: string): string {
  const inner = value[name];
  return typeof inner === 'string' ? inner : '';
}
