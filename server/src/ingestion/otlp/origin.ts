import { MAX_ENVIRONMENT_LENGTH } from '../../environments/fold-environment.ts';
import { MAX_SOURCE_LENGTH } from '../../events/limits.ts';
import { isObject, type JsonObject } from '../../platform/json/json-object.ts';
import { MAX_RELEASE_LENGTH } from '../../releases/limits.ts';
import { fieldOf, findAttribute, textOf } from './json-values.ts';
import { ValueRoom } from './value-room.ts';

/** Room of what is stored with each of several items: a resource or a span, and a scope. */
export const SHARED_ROOM = { characters: 4_096, values: 128 };
const SCOPE_ROOM = { characters: 1_024, values: 32 };

/** Name that SDKs give a service without one: `unknown_service:node`. */
const UNNAMED_SERVICE = /^unknown_service/;

/** Service that sent items, by their resource. */
export interface Service {
  /** Null: it has no name. */
  name: string | null;
  release: string | undefined;
  environment: string | undefined;
  attributes: JsonObject;
  /** True if a part was shortened or left out. */
  isCut: boolean;
}

/** Sender of items: their resource and their scope. */
export interface Origin {
  source: string | null;
  release: string | undefined;
  environment: string | undefined;
  resource: JsonObject;
  scope: JsonObject;
  isCut: boolean;
}

export function readService(resource: unknown): Service {
  const list = fieldOf(resource, 'attributes');
  const room = new ValueRoom(SHARED_ROOM);
  const names = new ValueRoom(SHARED_ROOM);
  const name = findAttribute(list, 'service.name');
  const release = findAttribute(list, 'service.version');
  const environment =
    findAttribute(list, 'deployment.environment.name') ?? findAttribute(list, 'deployment.environment');
  const isNamed = name !== null && !UNNAMED_SERVICE.test(name);
  const service = {
    name: isNamed ? names.readText(name, MAX_SOURCE_LENGTH) : null,
    release: release === null ? undefined : names.readText(release, MAX_RELEASE_LENGTH),
    environment: environment === null ? undefined : names.readText(environment, MAX_ENVIRONMENT_LENGTH),
    attributes: room.readAttributes(list),
  };
  return { ...service, isCut: room.isCut || names.isCut };
}

/**
 * Describes the sender of a scope's items. Its source is the service, else the scope: never a pod, a host or another
 * instance, each of which would be a series of its own.
 */
export function readOrigin(service: Service, scope: unknown): Origin {
  const room = new ValueRoom(SCOPE_ROOM);
  const name = room.readText(textOf(fieldOf(scope, 'name')), MAX_SOURCE_LENGTH);
  const version = room.readText(textOf(fieldOf(scope, 'version')));
  const attributes = isObject(scope) ? room.readAttributes(scope.attributes) : {};
  return {
    source: service.name ?? (name || null),
    release: service.release,
    environment: service.environment,
    resource: service.attributes,
    scope: { ...(name && { name }), ...(version && { version }), ...attributes },
    isCut: service.isCut || room.isCut,
  };
}
