import { isDeepStrictEqual } from 'node:util';

/** The fields in which two states differ. */
export function changedFields<T extends object, Field extends keyof T>(
  before: T,
  after: T,
  fields: readonly Field[],
): Field[] {
  return fields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
}

/** The named fields alone. */
export function pick<T extends object, Field extends keyof T>(
  thing: T,
  fields: readonly Field[],
): Partial<Pick<T, Field>> {
  const picked: Partial<Pick<T, Field>> = {};
  for (const field of fields) picked[field] = thing[field];
  return picked;
}
