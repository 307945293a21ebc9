import { type Static, type TSchema, Type } from 'typebox';

/** A value that may be null, in the one form (`type: [..., 'null']`) that the serializer handles fast. */
export function Nullable<T extends TSchema & { type: string }>(schema: T) {
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] });
}

/** ISO 8601, UTC, milliseconds. */
export const Timestamp = Type.String({ format: 'date-time', examples: ['2026-11-21T09:30:00.000Z'] });

/** An instant in a query or a body. */
export const IsoTime = Type.String({
  format: 'iso-time',
  maxLength: 64,
  description: 'ISO 8601; without a zone it is UTC.',
  examples: ['2026-11-21T09:30:00Z'],
});

/** Arbitrary JSON below an object. Not a `Record`: its pattern would lose keys that hold a line break. */
export const JsonObject = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
});

/** Names and titles: 1 to 200 characters after trimming (which the code that stores them does), no control characters. */
export function Name(description: string) {
  return Type.String({ minLength: 1, format: 'name', description });
}

/** An id in a path: a text that is no id of its kind is just unknown there, so any text passes. */
export const IdText = Type.String({ maxLength: 256 });

export const Limit = Type.Integer({
  minimum: 1,
  default: 50,
  description: 'Rows on a page. Above 500 it is cut to 500.',
});

export const Cursor = Type.String({
  maxLength: 256,
  description: 'Opaque position, from the `Link` header of the page before.',
});

/** Maximum rows of a page, and of an organization: such a list comes whole unless a page is requested. */
export const WHOLE_LIST = 500;

/** The query of a list that is short by the limits of its rows. */
export const WholeListQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: WHOLE_LIST,
      description: `Rows on a page. Above ${WHOLE_LIST} it is cut to ${WHOLE_LIST}.`,
    }),
  ),
  cursor: Type.Optional(Cursor),
});
