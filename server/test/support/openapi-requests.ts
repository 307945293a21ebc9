import fc from 'fast-check';
import { NAUGHTY_STRINGS } from './naughty-strings.ts';

interface Schema {
  anyOf?: Schema[];
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  minItems?: number;
  uniqueItems?: boolean;
}

interface Parameter {
  name: string;
  in: 'path' | 'query';
  required?: boolean;
  schema: Schema;
}

type Content = Record<string, { schema: Schema }>;

interface OperationObject {
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}

export interface ApiDocument {
  paths: Record<string, Record<string, OperationObject>>;
}

export interface Operation {
  method: string;
  path: string;
  parameters: Parameter[];
  body: Schema | null;
  /** Schemas of the answers by status and media type. */
  answers: Record<string, Content | undefined>;
}

/** A request to an operation. `valid`: it was generated from the schema and not mutated. */
export interface GeneratedRequest {
  valid: boolean;
  path: string;
  body: unknown;
}

export function operationsOf(document: ApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters = [], requestBody, responses }]) => ({
      method: method.toUpperCase(),
      path,
      parameters,
      body: requestBody?.content['application/json']?.schema ?? null,
      answers: Object.fromEntries(
        Object.entries(responses).map(([status, { content }]) => [status, content]),
      ),
    })),
  );
}

/** Texts that break programs: too long, control characters, other scripts, SQL, markup, paths. */
const extremeText = fc.oneof(
  fc.constantFrom(...NAUGHTY_STRINGS),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    'x'.repeat(70_000),
    '-1',
    '1e400',
    '\u202e',
    "' OR 1=1 --",
  ),
);

const wrongValue = fc.oneof(
  extremeText,
  fc.jsonValue(),
  fc.constantFrom(null, true, -0, 1e308, [], {}, [[]]),
);

/** Generates values that match a schema. */
export function valueOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valueOf));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const [type] = [schema.type ?? 'object'].flat();
  if (type === 'integer' || type === 'number') return numberOf(schema);
  if (type === 'boolean') return fc.boolean();
  if (type === 'array') {
    const { items = {}, minItems: minLength = 0, uniqueItems = false } = schema;
    const bounds = { minLength, maxLength: 3 };
    return uniqueItems
      ? fc.uniqueArray(valueOf(items), { ...bounds, selector: (item) => JSON.stringify(item) })
      : fc.array(valueOf(items), bounds);
  }
  if (type === 'string') return textOf(schema);
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, inner]) => [name, valueOf(inner)] as const,
  );
  return fc.record(Object.fromEntries(fields), { requiredKeys: schema.required ?? [] });
}

function numberOf({ minimum = -1000, maximum = 1000, multipleOf = 1 }: Schema): fc.Arbitrary<number> {
  const [min, max] = [Math.ceil(minimum / multipleOf), Math.floor(maximum / multipleOf)];
  return fc.integer({ min, max }).map((count) => count * multipleOf);
}

function textOf(schema: Schema): fc.Arbitrary<string> {
  if (schema.format === 'email-address') {
    return fc.stringMatching(/^[a-z0-9.+_-]{1,20}@[a-z0-9]{1,20}\.[a-z]{2,5}$/);
  }
  if (schema.format === 'iso-time') {
    const date = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    return date.map((time) => time.toISOString());
  }
  const minLength = Math.max(schema.minLength ?? 0, schema.format === 'name' || schema.pattern ? 1 : 0);
  const maxLength = Math.min(schema.maxLength ?? 100, 100);
  const printable = fc.string({ unit: 'grapheme-ascii', minLength, maxLength });
  // A name or a note needs something besides spaces.
  return minLength > 0 ? printable.map((text) => `x${text.slice(1)}`) : printable;
}

/** Generates values that nearly match a schema: a field missing, of a wrong type, extreme, or too many; or anything. */
function mutationOf(schema: Schema): fc.Arbitrary<unknown> {
  const names = Object.keys(schema.properties ?? {});
  if (names.length === 0) return wrongValue;
  const name = fc.constantFrom(...names);
  const base = valueOf(schema) as fc.Arbitrary<Record<string, unknown>>;
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(base, name, wrongValue).map(([body, key, value]) => ({ ...body, [key]: value })),
    },
    { weight: 2, arbitrary: fc.tuple(base, name).map(([body, key]) => ({ ...body, [key]: undefined })) },
    {
      weight: 1,
      arbitrary: fc.tuple(base, fc.dictionary(extremeText, fc.jsonValue())).map(([a, b]) => ({ ...b, ...a })),
    },
    { weight: 1, arbitrary: wrongValue },
  );
}

/** @param known ids that exist, for path parameters */
export function requestOf(operation: Operation, known: string[]): fc.Arbitrary<GeneratedRequest> {
  const ids = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...known) },
    { weight: 1, arbitrary: extremeText.map((text) => text.slice(0, 300)) },
  );
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query');
  const queryOf = (valid: boolean) =>
    fc.record(
      Object.fromEntries(
        inQuery.map(({ name, schema }) => [
          name,
          valid ? valueOf(schema) : fc.oneof(valueOf(schema), extremeText),
        ]),
      ),
      { requiredKeys: [] },
    );
  const requestAs = (valid: boolean) =>
    fc.record({
      valid: fc.constant(valid),
      path: fc
        .tuple(fc.tuple(...inPath.map(() => ids)), queryOf(valid))
        .map(([values, query]) => addressOf(operation.path, inPath, values, query)),
      body: operation.body
        ? valid
          ? valueOf(operation.body)
          : mutationOf(operation.body)
        : fc.constant(undefined),
    });
  // Created once, not for each request: fast-check builds tables for each of its texts.
  return fc.oneof(requestAs(true), requestAs(false));
}

function addressOf(
  template: string,
  parameters: Parameter[],
  values: string[],
  query: Record<string, unknown>,
): string {
  let path = template;
  for (const [index, { name }] of parameters.entries()) {
    path = path.replace(`{${name}}`, () => encode(values[index] ?? '') || '-');
  }
  // A list repeats its parameter.
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as unknown[]) : [value]).map((each) => `${name}=${encode(String(each))}`),
  );
  return pairs.length > 0 ? `${path}?${pairs.join('&').slice(0, 12_000)}` : path;
}

/** Encodes a path segment: the client would resolve `.` and `..`, and lone surrogates have no encoding. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/^\.{1,2}$/, (dots) => '%2e'.repeat(dots.length));
}
