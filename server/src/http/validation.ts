import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';
import { parseIsoTime } from '../platform/time.ts';
import { MAX_NAME_LENGTH } from './limits.ts';

/** Includes characters that change the direction of writing: with them a name looks like another one. */
const CONTROL_CHARACTER = /[\p{Cc}\p{Bidi_Control}]/u;

/** Formats of texts, with the message for a text that does not fit. */
export const FORMATS: Record<string, { check: (text: string) => boolean; message: string }> = {
  'iso-time': {
    check: (text) => parseIsoTime(text) !== null,
    message: 'must be a time in ISO 8601, such as 2026-11-21T09:30:00Z',
  },
  name: {
    check: (text) => {
      const trimmed = text.trim();
      const length = Array.from(trimmed).length;
      return length >= 1 && length <= MAX_NAME_LENGTH && !CONTROL_CHARACTER.test(trimmed);
    },
    message: `must hold 1 to ${MAX_NAME_LENGTH} characters besides surrounding spaces, none of them a control character`,
  },
  // At most 64 characters before the @ and 255 behind it (RFC 5321); whether mail arrives is not checked.
  'email-address': {
    check: (text) => /^[^\s@]{1,64}@[^\s@]{1,255}$/u.test(text.trim()),
    message: 'must be an email address',
  },
};

/** A check whose errors are those of the last call. */
interface Check {
  (value: unknown): boolean;
  errors?: ErrorObject[] | null;
}

/** Both are shared by all applications of a process, which declare a route with the same schema: each is compiled once. */
const STRICT = createAjv({ coerceTypes: false });
const COERCING = createAjv({ coerceTypes: true });

/**
 * Compiles validators. Bodies are not coerced: `"5"` is no number. Query strings and paths are text by nature, so
 * there (and only there) `?limit=5` becomes the number 5.
 */
export const compileValidator: FastifySchemaCompiler<object> = ({ schema, httpPart }) =>
  compiledLate(() =>
    httpPart === 'body' ? STRICT.compile(schema) : refusingInfinity(COERCING.compile(schema)),
  );

/** Compiles with the first value: compiling the schemas of all routes would delay the start. */
function compiledLate(compile: () => Check): Check {
  let compiled: Check | null = null;
  const check: Check = (value) => {
    compiled ??= compile();
    const fits = compiled(value);
    check.errors = compiled.errors ?? null;
    return fits;
  };
  return check;
}

/** Refuses infinity: `1e400` is coerced to it, and ajv compares a non-finite number with no minimum or maximum. */
function refusingInfinity(validate: ValidateFunction): Check {
  const check: Check = (values) => {
    check.errors = null;
    if (!validate(values)) {
      check.errors = validate.errors ?? null;
      return false;
    }
    const infinite = Object.entries(values as object).find(
      ([, value]) => value === Infinity || value === -Infinity,
    );
    if (!infinite) return true;
    const [name] = infinite;
    const message = 'must be a number that is not too large';
    check.errors = [{ instancePath: `/${name}`, schemaPath: '', keyword: 'type', params: {}, message }];
    return false;
  };
  return check;
}

function createAjv(options: Options): Ajv {
  const ajv = new Ajv({ ...options, useDefaults: true, allErrors: false, strict: true, strictTypes: false });
  for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format.check);
  // Known to OpenAPI tools; only answers use it, and they are not validated.
  ajv.addFormat('date-time', true);
  return ajv;
}

/**
 * A check of single values against a body's schema, for bodies with many values (bulk).
 * @returns errors for `toApiError`, or null if the value fits
 */
export function createBodyCheck(schema: object): (value: unknown) => object | null {
  const validate = STRICT.compile(schema);
  return (value) => (validate(value) ? null : { validation: validate.errors, validationContext: 'body' });
}
