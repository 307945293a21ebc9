import { Random } from '@tocsin/simulation/random';

const DIGITS = '0123456789';
const HEX = '0123456789abcdef';
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const BASE62 = DIGITS + UPPER + UPPER.toLowerCase();
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const YEAR_MS = 365 * 86_400_000;

/** Draws ids of the usual kinds, none of which is a secret. */
export class OrdinaryIds {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  /** Draws an id of each kind. */
  draw(): string[] {
    const date = new Date(1_700_000_000_000 + this.#below(4 * YEAR_MS));
    const day = date.toISOString().slice(0, 10);
    const digits = (length: number) => this.#text(length, DIGITS);
    return [
      // UUID, ULID, TypeID, ObjectId, nanoid, trace and commit.
      [8, 4, 4, 4, 12].map((length) => this.#text(length, HEX)).join('-'),
      [8, 4, 4, 4, 12].map((length) => digits(length)).join('-'),
      `01${this.#text(24, CROCKFORD)}`,
      `evt_01${this.#text(24, CROCKFORD.toLowerCase())}`,
      this.#text(24, HEX),
      this.#text(21, `${BASE62}_-`),
      this.#text(32, HEX),
      this.#text(40, HEX),
      // Snowflakes of Twitter, Discord and Instagram.
      `1${digits(18)}`,
      `${this.#below(9) + 1}${digits(17)}`,
      `${this.#below(9) + 1}${digits(16)}`,
      `${this.#below(9) + 1}${digits(18)}`,
      // Stripe.
      ...['ch', 'pi', 'cus', 'sub', 'in', 'evt', 'price', 'pm'].map(
        (kind) => `${kind}_${this.#text(24, BASE62)}`,
      ),
      // Orders.
      `ORD-${day.slice(0, 4)}-${digits(6)}`,
      `${digits(3)}-${digits(7)}-${digits(7)}`,
      `#${digits(6)}`,
      digits(10),
      digits(12),
      `${day.replaceAll('-', '')}${digits(8)}`,
      `SO/${digits(4)}/${digits(4)}/${digits(4)}/${digits(4)}`,
      `INV-${digits(4)}-${digits(4)}-${digits(4)}-${digits(4)}`,
      // Telephones.
      `+49${digits(11)}`,
      `4${digits(12)}`,
      `+44 ${digits(4)} ${digits(6)}`,
      `(${digits(3)}) ${digits(3)}-${digits(4)}`,
      `+1-${digits(3)}-${digits(3)}-${digits(4)}`,
      // Accounts, whole and as people write them.
      ...this.#accounts(),
      // Articles and devices.
      digits(13),
      `0${digits(13)}`,
      `35${digits(13)}`,
      // Times.
      String(Math.floor(date.getTime() / 1_000)),
      String(date.getTime()),
      `${date.getTime()}${digits(3)}`,
      `${date.getTime()}${digits(6)}`,
      date.toISOString(),
      day,
    ];
  }

  #accounts(): string[] {
    const digits = (length: number) => this.#text(length, DIGITS);
    return [
      `DE${digits(20)}`,
      `ES${digits(22)}`,
      `FR${digits(12)}${this.#text(11, DIGITS + UPPER)}${digits(2)}`,
      `GB${digits(2)}NWBK${digits(14)}`,
      `NL${digits(2)}ABNA${digits(10)}`,
      `PK${digits(2)}SCBL${digits(16)}`,
      `VG${digits(2)}VPVG${digits(16)}`,
      `LC${digits(2)}HEMM${digits(24)}`,
    ].flatMap((account) => [account, (account.match(/.{1,4}/g) ?? []).join(' ')]);
  }

  #text(length: number, alphabet: string): string {
    let text = '';
    for (let index = 0; index < length; index++) text += alphabet.charAt(this.#below(alphabet.length));
    return text;
  }

  #below(bound: number): number {
    return Math.floor(this.#random.uniform() * bound);
  }
}
