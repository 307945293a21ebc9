import { type Static, Type } from 'typebox';
import { Nullable, Timestamp } from '../../http/schemas.ts';
import { SCRUB_RULES } from '../../scrubbing/schema.ts';

const Place = Type.Object({
  place: Type.String({
    description: 'Names of fields that lead to the value; `[]` stands for the elements of a list.',
    examples: ['payload.customer.taxId'],
  }),
  events: Type.Integer({ description: 'Number of events with such a value there.' }),
  example: Type.String({ description: 'Text there as it would be stored, cut.', examples: ['[Filtered]'] }),
});

export const ScrubPreview = Type.Object({
  events: Type.Integer({ description: 'Number of events that were read, the newest ones.' }),
  since: Nullable({ ...Timestamp, description: 'Time of the oldest of them; null: there are none.' }),
  rules: Type.Array(
    Type.Object({
      rule: Type.Enum(SCRUB_RULES),
      filtered: Type.Integer({ description: 'Values in them that were replaced before they were stored.' }),
      found: Type.Integer({ description: 'Further values that these choices would have replaced.' }),
      places: Type.Array(Place, { description: 'Places of these, by the number of events; at most 10.' }),
    }),
    { description: 'Each rule, also those that are switched off.' },
  ),
});
export type ScrubPreview = Static<typeof ScrubPreview>;
export type RulePreview = ScrubPreview['rules'][number];

export const ReplacedValues = Type.Array(
  Type.Object({
    rule: Type.Enum(SCRUB_RULES),
    quantity: Type.Integer({ description: 'Values that it replaced.' }),
    today: Type.Integer({ description: 'Values of today, in UTC.' }),
  }),
  { description: 'Rules that replaced any, the most frequent first.' },
);
export type ReplacedValues = Static<typeof ReplacedValues>;
