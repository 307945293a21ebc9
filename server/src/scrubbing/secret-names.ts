import { isPersonal } from './personal-names.ts';

/** Kind of a name: of a field, a header, a parameter, or a variable in a text. */
export type NameKind =
  /** Value is a secret. */
  | 'secret'
  /** Value tells who a person is. */
  | 'person'
  /** Value stays as it is. */
  | 'safe'
  /** Value may be the number of a card, of any length. */
  | 'card'
  /** Value is an id, a number or a time: no card. */
  | 'reference'
  | 'plain';

const words = (text: string) => text.trim().split(/\s+/);

/** Tokens that make a name that of a secret, wherever they stand in it. */
const STRONG = new Set(
  words(`apikey authorization cookie cookies credential credentials csrf cvc cvv jwt passcode passphrase passwd
    password passwords passwort pwd secret secrets xsrf`),
);
/** Tokens that do so as the last one: `auth_token` is a secret, `token_count` is none. */
const STRONG_LAST = new Set(['auth', 'otp', 'token']);
/** Ends of tokens that are written as one: `mysqlpassword`, `accesstoken`, `PHPSESSID`. */
const STRONG_END =
  /(?:password|passwd|passphrase|secret|token|(?:access|account|api|auth|private|secret|shared)key|(?:access|api|auth|private|secret)keys|(?:access|api|auth|bearer|refresh|session)tokens|sessionids?|sessid|(?:card|cc)numbers?|(?:db|smtp|user)pass)$/;
/** Last two tokens of a secret. */
const STRONG_PAIRS = new Set([
  ...words(`access account api auth deploy encryption master private service session shared signing ssh storage
    subscription`).map((owner) => `${owner} key`),
  ...words('access api auth deploy encryption master private signing ssh').map((owner) => `${owner} keys`),
  // `tokens` alone is a number of parts of a text.
  ...words('access api auth bearer csrf refresh session').map((owner) => `${owner} tokens`),
  // `pass` alone is a test that passed.
  ...words('admin db database ftp ldap mail mysql proxy redis smtp user').map((owner) => `${owner} pass`),
  'session id',
  'session ids',
  'connect sid',
  'card number',
  'card numbers',
  'card no',
  'cc number',
  'cc no',
]);
/** Last tokens of names that tell something about a secret: `password_changed_at`, `token_type`, `cvc_check`. */
const ABOUT = new Set(
  words(`age algorithm arn at attempts changed check checks consent count domain enabled endpoint error errors
    expiration expired expires expiry field fields file id ids invalid kind length limit manager message method mode
    name names path policy present provider reason ref reference required reset rotation status strength ttl type uri
    url used valid version`),
);
/** Last tokens that are no part of the name: `token_value`, `newPasswordConfirm`. */
const ADDED = new Set(
  words('confirm confirmation digest hash header param plain raw salt string text value'),
);
const CARD = new Set(words('card cc creditcard pan'));
const REFERENCE = new Set(
  words(`at barcode ean fax gtin guid iban iccid id ids imei invoice mobile no nr number numbers order phone ref
    reference refs sku tel time timestamp tracking ts uuid`),
);
const REFERENCE_END =
  /(?:number|(?:account|customer|event|invoice|message|order|payment|request|span|trace|transaction|user)id)$/;
/** The working directory, which is no password. */
const DIRECTORIES = new Set(['PWD', 'OLDPWD']);

/** Characters of markup, of code and of encoded texts, which stand in no name, and what a name was replaced by. */
const NO_NAME = /[<>%&;,"'`{}|\\=]|\[Filtered\]/;

const TOKEN = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;

const MAX_NAME_LENGTH = 64;
/** Maximum remembered names; emptied when full. Those of one project are fewer. */
const MAX_REMEMBERED = 4_096;
const MAX_REMEMBERED_OF_PROJECT = 512;

/** Choices of a project about names, in any notation. */
interface NameChoices {
  /** Further names of secrets, and parts of such names. */
  further: readonly string[];
  /** Whole names whose values stay. */
  safe: readonly string[];
  findsPersons: boolean;
}

/**
 * Decides by tokens which names are those of secrets: a name is split at separators, digits and capitals, so that
 * `auth_token`, `userPassword` and `X-Api-Key` are found, and `author`, `tokenizer` and `secretary` are not. After the
 * design note of GlitchTip and the denylist of sentry-python. Remembers names, which recur from event to event.
 */
export class SecretNames {
  readonly #kinds = new Map<string, NameKind>();
  /** Tokens of further names, each name with a space around its tokens. */
  readonly #further: readonly string[];
  readonly #safe: ReadonlySet<string>;
  readonly #findsPersons: boolean;
  readonly #maxRemembered: number;

  /** @param choices absent: those of default */
  constructor(choices?: NameChoices) {
    this.#further = choices?.further.map(toPhraseOf) ?? [];
    this.#safe = new Set(choices?.safe.map(toPhraseOf));
    this.#findsPersons = choices?.findsPersons ?? false;
    this.#maxRemembered = choices ? MAX_REMEMBERED_OF_PROJECT : MAX_REMEMBERED;
  }

  get hasSafe(): boolean {
    return this.#safe.size > 0;
  }

  kindOf(name: string): NameKind {
    const known = this.#kinds.get(name);
    if (known !== undefined) return known;
    if (name.length > MAX_NAME_LENGTH) return this.#decide(name);
    if (this.#kinds.size >= this.#maxRemembered) this.#kinds.clear();
    const kind = this.#decide(name);
    this.#kinds.set(name, kind);
    return kind;
  }

  #decide(name: string): NameKind {
    if (NO_NAME.test(name)) return 'plain';
    const tokens = tokensOf(name.slice(-MAX_NAME_LENGTH));
    const phrase = toPhrase(tokens);
    if (this.#safe.has(phrase)) return 'safe';
    if (this.#further.some((further) => phrase.includes(further))) return 'secret';
    const last = tokens.at(-1) ?? '';
    const isReference = REFERENCE.has(last) || REFERENCE_END.test(last);
    const isPerson = this.#findsPersons && isPersonal(tokens);
    const other = isPerson ? 'person' : isReference ? 'reference' : CARD.has(last) ? 'card' : 'plain';
    if (endsAsSecret(tokens)) return 'secret';
    if (ABOUT.has(last) || DIRECTORIES.has(name)) return other;
    if (tokens.some((token) => STRONG.has(token))) return 'secret';
    while (ADDED.has(tokens.at(-1) ?? '')) tokens.pop();
    return endsAsSecret(tokens) ? 'secret' : other;
  }
}

function tokensOf(name: string): string[] {
  return (name.match(TOKEN) ?? []).map((token) => token.toLowerCase());
}

function toPhraseOf(name: string): string {
  return toPhrase(tokensOf(name));
}

function toPhrase(tokens: readonly string[]): string {
  return ` ${tokens.join(' ')} `;
}

function endsAsSecret(tokens: readonly string[]): boolean {
  const last = tokens.at(-1) ?? '';
  return STRONG_LAST.has(last) || STRONG_END.test(last) || STRONG_PAIRS.has(tokens.slice(-2).join(' '));
}
