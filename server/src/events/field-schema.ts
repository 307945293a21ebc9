import { type Static, Type } from 'typebox';
import { MAX_FIELD_DEPTH, MAX_FIELD_KEY_LENGTH, MAX_FIELD_VALUE_LENGTH } from './limits.ts';

/** Condition of a rule on a field of the payload. */
export const FieldCondition = Type.Object(
  {
    path: Type.Array(Type.String({ minLength: 1, maxLength: MAX_FIELD_KEY_LENGTH }), {
      minItems: 1,
      maxItems: MAX_FIELD_DEPTH,
      description: 'Keys of objects, from the payload to the field. Elements of lists have none.',
      examples: [['customer', 'plan']],
    }),
    operator: Type.Enum(['equals', 'not', 'greater', 'less', 'exists'], {
      description:
        '`equals` and `not` compare a text, a number, true or false, however it is written: 500 equals "500". `not` needs a value. `greater` and `less` compare numbers, also those in texts. `exists` holds for everything but null, lists and objects included.',
    }),
    value: Type.Unsafe<string | number | boolean | null>({
      type: ['string', 'number', 'boolean', 'null'],
      maxLength: MAX_FIELD_VALUE_LENGTH,
      description: 'A number for `greater` and `less`; null for `exists`.',
      examples: ['failed'],
    }),
  },
  { description: 'Condition on a field of the payload as it is stored: a secret is `[Filtered]`.' },
);
export type FieldCondition = Static<typeof FieldCondition>;
