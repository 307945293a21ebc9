import { type Static, Type } from 'typebox';
import { MAX_SECRET_NAME_LENGTH, MAX_SECRET_NAMES, MIN_SECRET_NAME_LENGTH } from './limits.ts';

const Count = (description: string) => Type.Optional(Type.Integer({ minimum: 1, description }));

/** Number of secrets that ingestion replaced, by the rule that found them. */
export const ScrubCounts = Type.Object(
  {
    authorization: Count('Values behind `Bearer` and `Basic`.'),
    card: Count('Numbers of cards.'),
    email: Count('Email addresses, if the project chose so.'),
    ip: Count('Addresses of computers, if the project chose so.'),
    jwt: Count('JSON Web Tokens.'),
    key: Count('Values whose name says that they are secret.'),
    pem: Count('Private keys in PEM.'),
    person: Count('Values whose name says that they tell who a person is, if the project chose so.'),
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

/** Rules that find personal data, which a project switches on. */
export const PERSONAL_RULES = ['email', 'ip', 'person'] as const satisfies ScrubRule[];
export type PersonalRule = (typeof PERSONAL_RULES)[number];
/** Rules that find secrets, which a project may switch off. */
const SECRET_RULES = SCRUB_RULES.filter((rule) => !PERSONAL_RULES.some((personal) => personal === rule));

const Names = Type.Array(
  Type.String({ minLength: MIN_SECRET_NAME_LENGTH, maxLength: MAX_SECRET_NAME_LENGTH, pattern: '[A-Za-z]' }),
  { maxItems: MAX_SECRET_NAMES },
);

/** Choices of a project, which replace what it chose before. */
export const ScrubChoices = Type.Object({
  names: {
    ...Names,
    description:
      'Further names whose values are secret, in any notation: `tax id` stands for `tax_id` and `customerTaxId` as well.',
    examples: [['tax id']],
  },
  safe: {
    ...Names,
    description:
      'Names of fields whose values stay as they are, in any notation: `session id` stands for `sessionId`, and not for `admin_session_id`. They win over all rules; in a text, over those of names alone. Within such a field, a name that is secret counts again.',
    examples: [['session id']],
  },
  off: Type.Array(Type.Enum(SECRET_RULES), {
    maxItems: SECRET_RULES.length,
    description: 'Rules that are switched off.',
  }),
  personal: Type.Array(Type.Enum(PERSONAL_RULES), {
    maxItems: PERSONAL_RULES.length,
    description: 'Rules for personal data that are switched on.',
  }),
});
export type ScrubChoices = Static<typeof ScrubChoices>;

export const DEFAULT_CHOICES: ScrubChoices = { names: [], safe: [], off: [], personal: [] };
