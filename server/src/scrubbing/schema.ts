import { type Static, Type } from 'typebox';

const Count = (description: string) => Type.Optional(Type.Integer({ minimum: 1, description }));

/** Number of secrets that ingestion replaced, by the rule that found them. */
export const ScrubCounts = Type.Object(
  {
    authorization: Count('Values behind `Bearer` and `Basic`.'),
    card: Count('Numbers of cards.'),
    jwt: Count('JSON Web Tokens.'),
    key: Count('Values whose name says that they are secret.'),
    pem: Count('Private keys in PEM.'),
    repeat: Count('Further occurrences of a value that another rule found.'),
    shape: Count('Keys of known services, by their form.'),
    url: Count('Passwords in addresses.'),
  },
  {
    description:
      'Number of secrets that were replaced by `[Filtered]` before the event was stored, by rule; empty for none.',
    examples: [{ key: 2 }],
  },
);
export type ScrubCounts = Static<typeof ScrubCounts>;
export type ScrubRule = keyof ScrubCounts;
// Keys of an object of this type.
export const SCRUB_RULES = Object.keys(ScrubCounts.properties) as ScrubRule[];

/** Choices of a project, which replace what it chose before. */
export const ScrubChoices = Type.Object({
  names: Type.Array(Type.String({ minLength: 2, maxLength: 64, pattern: '[A-Za-z]' }), {
    maxItems: 50,
    description:
      'Further names whose values are secret, in any notation: `tax id` stands for `tax_id` and `customerTaxId` as well.',
    examples: [['tax id']],
  }),
  off: Type.Array(Type.Enum(SCRUB_RULES), {
    maxItems: SCRUB_RULES.length,
    description: 'Rules that are switched off.',
  }),
});
export type ScrubChoices = Static<typeof ScrubChoices>;
