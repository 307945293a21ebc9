import type { JsonObject } from '../platform/json/json-object.ts';
import { isCard } from './card-number.ts';
import { findSecrets } from './find-secrets.ts';
import { mapTexts, uniqueName } from './map-texts.ts';
import { isPair, isRawHeaders, labelOfElement, labelOfField } from './named-values.ts';
import { replacePersonal } from './personal-data.ts';
import { MIN_PART_LENGTH, RepeatedValues } from './repeated-values.ts';
import { FILTERED } from './replacement.ts';
import {
  PERSONAL_RULES,
  type PersonalRule,
  SCRUB_RULES,
  type ScrubChoices,
  type ScrubCounts,
  type ScrubRule,
} from './schema.ts';
import { type NameKind, SecretNames } from './secret-names.ts';

/** Choice of a project. */
export interface ScrubSettings {
  /** Rules that are switched off, those of personal data included. */
  off: ReadonlySet<ScrubRule>;
  names: SecretNames;
  /** Called for each object in which secrets were found. */
  onFound?: ((counts: ScrubCounts) => void) | undefined;
}

const DEFAULTS: ScrubSettings = { off: new Set(PERSONAL_RULES), names: new SecretNames() };

export function toScrubSettings(
  { names, safe, off, personal }: ScrubChoices,
  onFound?: ScrubSettings['onFound'],
): ScrubSettings {
  const findsPersons = personal.includes('person');
  const isDefault = names.length === 0 && safe.length === 0 && !findsPersons;
  const unchosen = PERSONAL_RULES.filter((rule) => !personal.includes(rule));
  return {
    off: new Set([...off, ...unchosen]),
    names: isDefault ? DEFAULTS.names : new SecretNames({ further: names, safe, findsPersons }),
    onFound,
  };
}

/** Field whose values identify what an event belongs to. */
const CORRELATION = 'correlation';
/** Own fields of an event that name a build and where it runs: a version may look like an address. */
const NO_PERSON_FIELDS: ReadonlySet<string> = new Set(['release', 'environment']);

/** Shortest text with a secret: a name of three letters, a sign and a value. */
const MIN_TEXT_LENGTH = 5;
/** Shortest name of a field that holds a secret itself. */
const MIN_NAME_LENGTH = 14;
/** Length of a text from which on it is remembered: stacks occur twice in an observation. */
const MIN_REMEMBERED_LENGTH = 256;
/** Smallest number that is one of a card. */
const MIN_CARD = 10 ** 13;

/** Kind of a value by the names that lead to it: within a secret, `part` has another name, and `hidden` that of an id. */
type ValueKind = NameKind | 'part' | 'hidden';

const SECRET_KINDS: ReadonlySet<ValueKind> = new Set(['secret', 'part', 'hidden']);
/** Kinds of names that do not count for the own fields of an event, such as its severity, whatever a project chose. */
const CHOSEN_KINDS: ReadonlySet<ValueKind> = new Set(['secret', 'person', 'safe']);

/**
 * Replaces the secrets in the values of an object by `[Filtered]`. A secret that was found once is replaced wherever else
 * it stands. In `correlation`, names and the values found elsewhere decide, never a pattern: ids that look like a secret
 * lead to the events of an order. The time is linear in the length of the texts, times the values that are looked for
 * elsewhere, which are bounded; the depth is that of the object, which the reader of the request bounds.
 * @returns the same object if it holds none, else a copy in which unchanged parts are the same
 */
export function scrub<Fields extends object>(
  fields: Fields,
  settings: ScrubSettings = DEFAULTS,
): { fields: Fields; counts: ScrubCounts | null } {
  if (settings.off.size === SCRUB_RULES.length) return { fields, counts: null };
  const scrubbing = new Scrubbing(settings);
  // Texts become texts; other values become texts only where they are JSON of any form.
  const found = scrubbing.run(fields as JsonObject) as Fields;
  if (scrubbing.counts !== null) settings.onFound?.(scrubbing.counts);
  return { fields: found, counts: scrubbing.counts };
}

/** One run over the values of an event. */
class Scrubbing {
  counts: ScrubCounts | null = null;
  readonly #settings: ScrubSettings;
  readonly #hidesNames: boolean;
  /** True if texts are searched for personal data. */
  readonly #findsPersonal: boolean;
  /** True within a field that names no person. */
  #namesNoPerson = false;
  readonly #minNameLength: number;
  /** Secrets that were found; null: none. */
  #repeated: RepeatedValues | null = null;
  /** Personal data that was found; null: none. Apart, so that it takes no place of a secret. */
  #personal: RepeatedValues | null = null;
  #isCorrelation = false;
  #lastText = '';
  #lastResult = '';

  constructor(settings: ScrubSettings) {
    this.#settings = settings;
    const { off } = settings;
    this.#hidesNames = !off.has('key');
    this.#findsPersonal = !off.has('email') || !off.has('ip');
    this.#minNameLength = this.#findsPersonal ? MIN_TEXT_LENGTH : MIN_NAME_LENGTH;
  }

  run(fields: JsonObject): JsonObject {
    const found = this.#visitObject(fields, 'plain', true);
    const [repeated, personal] = [this.#repeated, this.#personal];
    const isEmpty = (repeated?.isEmpty ?? true) && (personal?.isEmpty ?? true);
    const { off, names } = this.#settings;
    if (isEmpty || off.has('repeat')) return found;
    const count = () => this.#count('repeat');
    const isKept = (name: string) => names.hasSafe && names.kindOf(name) === 'safe';
    const replaceAll = (object: JsonObject, values: RepeatedValues | null, kept: ReadonlySet<string>) =>
      values === null
        ? object
        : mapTexts(object, { map: (text) => values.replaceIn(text, count), isKept, keptFields: kept });
    return replaceAll(replaceAll(found, repeated, new Set()), personal, NO_PERSON_FIELDS);
  }

  #visit(value: unknown, kind: ValueKind): unknown {
    if (typeof value === 'string') return this.#visitText(value, kind);
    if (typeof value === 'number') return this.#visitNumber(value, kind);
    if (typeof value !== 'object' || value === null) return value;
    return Array.isArray(value) ? this.#visitList(value, kind) : this.#visitObject(value as JsonObject, kind);
  }

  #visitObject(object: JsonObject, kind: ValueKind, isTop = false): JsonObject {
    let entries: [string, unknown][] | null = null;
    const names = Object.keys(object);
    for (let index = 0; index < names.length; index++) {
      const name = names[index] ?? '';
      const value = object[name];
      if (isTop) {
        this.#isCorrelation = name === CORRELATION;
        this.#namesNoPerson = NO_PERSON_FIELDS.has(name);
      }
      const named = this.#kindOf(name, kind, object);
      const ofValue = isTop && CHOSEN_KINDS.has(named) ? 'plain' : named;
      const found =
        Array.isArray(value) && isRawHeaders(name)
          ? this.#visitList(value, ofValue, true)
          : this.#visit(value, ofValue);
      const foundName = name.length >= this.#minNameLength ? this.#visitText(name, 'plain') : name;
      if (found === value && foundName === name) continue;
      entries ??= Object.entries(object);
      entries[index] = [uniqueName(name, foundName, index), found];
    }
    return entries === null ? object : Object.fromEntries(entries);
  }

  #kindOf(name: string, outer: ValueKind, object: JsonObject): ValueKind {
    const kind = this.#kindOfName(name);
    if (SECRET_KINDS.has(outer)) {
      if (kind === 'secret' || kind === 'safe') return kind;
      return kind === 'reference' ? 'hidden' : 'part';
    }
    // The nearest name decides.
    if (outer === 'person' && kind !== 'secret' && kind !== 'safe') return outer;
    if (outer === 'safe' && kind !== 'secret' && kind !== 'person') return outer;
    // `card: { number }`
    if (outer === 'card' && kind === 'reference') return 'card';
    return kind === 'plain' ? this.#kindOfLabel(labelOfField(name, object)) : kind;
  }

  #kindOfName(name: string): NameKind {
    const kind = this.#settings.names.kindOf(name);
    if (kind === 'person' && this.#settings.off.has(kind)) return 'plain';
    return kind === 'secret' && !this.#hidesNames ? 'plain' : kind;
  }

  #kindOfLabel(label: unknown): NameKind {
    return typeof label === 'string' ? this.#kindOfName(label) : 'plain';
  }

  /** @param isHeaders true if names and values take turns */
  #visitList(list: unknown[], kind: ValueKind, isHeaders = false): unknown[] {
    let copy: unknown[] | null = null;
    for (let index = 0; index < list.length; index++) {
      const value = list[index];
      const ofLabel = this.#kindOfLabel(labelOfElement(list, index, isHeaders));
      const ofValue = CHOSEN_KINDS.has(ofLabel) ? ofLabel : kind;
      const found = isPair(value) ? this.#visitPair(value, kind) : this.#visit(value, ofValue);
      if (found === value) continue;
      copy ??= [...list];
      copy[index] = found;
    }
    return copy ?? list;
  }

  #visitPair(pair: [string, unknown], kind: ValueKind): unknown[] {
    const ofName = this.#kindOfLabel(pair[0]);
    if (!CHOSEN_KINDS.has(ofName)) return this.#visitList(pair, kind);
    const found = this.#visit(pair[1], ofName);
    return found === pair[1] ? pair : [pair[0], found];
  }

  #visitNumber(value: number, kind: ValueKind): unknown {
    if (kind === 'safe') return value;
    if (kind === 'person') return this.#replaceAll(kind);
    if (SECRET_KINDS.has(kind)) return this.#replaceAll('key');
    if (value < MIN_CARD || kind === 'reference' || this.#isCorrelation || !isCard(String(value)))
      return value;
    return this.#settings.off.has('card') ? value : this.#replaceAll('card');
  }

  #visitText(text: string, kind: ValueKind): string {
    if (kind === 'safe') return text;
    if (kind === 'person' || SECRET_KINDS.has(kind)) return this.#hide(text, kind);
    if (text.length < MIN_TEXT_LENGTH || this.#isCorrelation) return text;
    if (text.length < MIN_REMEMBERED_LENGTH || this.#namesNoPerson) return this.#replaceIn(text, kind);
    if (text !== this.#lastText) {
      this.#lastResult = this.#replaceIn(text, kind);
      this.#lastText = text;
    }
    return this.#lastResult;
  }

  /** Replaces a text that is a secret by the name of its field. */
  #hide(text: string, kind: ValueKind): string {
    if (text === '' || text === FILTERED) return text;
    if (kind === 'person') return this.#replacePersonal(kind, text);
    if (kind === 'secret' || (kind === 'part' && text.length >= MIN_PART_LENGTH)) this.#remember(text);
    return this.#replaceAll('key');
  }

  #replaceIn(text: string, kind: ValueKind): string {
    const found = this.#replaceSecrets(text, kind);
    if (!this.#findsPersonal || this.#namesNoPerson) return found;
    return replacePersonal(found, this.#settings.off, (rule, value) => this.#replacePersonal(rule, value));
  }

  #replaceSecrets(text: string, kind: ValueKind): string {
    const { names, off } = this.#settings;
    if (kind === 'card' && !off.has('card') && isCard(text.replaceAll(/[ -]/g, ''))) {
      this.#remember(text);
      return this.#replaceAll('card');
    }
    const spans = findSecrets(text, names, kind !== 'reference');
    if (spans === null) return text;
    let copy = '';
    let done = 0;
    for (const { rule, start, end } of spans) {
      if (off.has(rule) || (rule === 'person' && this.#namesNoPerson)) continue;
      copy += text.slice(done, start) + FILTERED;
      done = end;
      if (rule === 'person') this.#replacePersonal(rule, text.slice(start, end));
      else {
        this.#remember(text.slice(start, end));
        this.#count(rule);
      }
    }
    return done === 0 ? text : copy + text.slice(done);
  }

  #replaceAll(rule: ScrubRule): string {
    this.#count(rule);
    return FILTERED;
  }

  #replacePersonal(rule: PersonalRule, value: string): string {
    // Addresses of computers are found wherever they stand.
    if (rule !== 'ip') {
      this.#personal ??= new RepeatedValues();
      this.#personal.add(value);
    }
    return this.#replaceAll(rule);
  }

  #remember(secret: string): void {
    this.#repeated ??= new RepeatedValues();
    this.#repeated.add(secret);
  }

  #count(rule: ScrubRule): void {
    this.counts ??= {};
    this.counts[rule] = (this.counts[rule] ?? 0) + 1;
  }
}
