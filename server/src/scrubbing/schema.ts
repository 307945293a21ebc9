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
