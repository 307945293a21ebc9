import type { JsonObject } from '../platform/json/json-object.ts';
import { isCard } from './card-number.ts';
import { findSecrets } from './find-secrets.ts';
import { mapTexts, uniqueName } from './map-texts.ts';
import { MIN_PART_LENGTH, RepeatedValues } from './repeated-values.ts';
import { FILTERED } from './replacement.ts';
import type { ScrubChoices, ScrubCounts, ScrubRule } from './schema.ts';
import { type NameKind, SecretNames } from './secret-names.ts';

/** Choice of a project. */
export interface ScrubSettings {
  /** Rules that are switched off. */
  off: ReadonlySet<ScrubRule>;
  names: SecretNames;
  /** Called for each object in which secrets were found. */
  onFound?: ((counts: ScrubCounts) => void) | undefined;
}

const DEFAULTS: ScrubSettings = { off: new Set(), names: new SecretNames() };

export function toScrubSettings(
  { names, off }: ScrubChoices,
  onFound?: ScrubSettings['onFound'],
): ScrubSettings {
  return { off: new Set(off), names: names.length === 0 ? DEFAULTS.names : new SecretNames(names), onFound };
}

/** Field whose values identify what an event belongs to. */
const CORRELATION = 'correlation';

/** Headers as Node.js has them in one list. */
const RAW_HEADERS = /^raw_?headers$/i;

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
  /** Secrets that were found; null: none. */
  #repeated: RepeatedValues | null = null;
  #isCorrelation = false;
  #lastText = '';
  #lastResult = '';

  constructor(settings: ScrubSettings) {
    this.#settings = settings;
    this.#hidesNames = !settings.off.has('key');
  }

  run(fields: JsonObject): JsonObject {
    const found = this.#visitObject(fields, 'plain', true);
    const repeated = this.#repeated;
    if (repeated === null || repeated.isEmpty || this.#settings.off.has('repeat')) return found;
    const count = () => this.#count('repeat');
    return mapTexts(found, (text) => repeated.replaceIn(text, count)) as JsonObject;
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
      if (isTop) this.#isCorrelation = name === CORRELATION;
      const named = this.#kindOf(name, kind, object);
      // Its own fields, such as the severity, are no secrets by name, whatever a project chose.
      const ofValue = isTop && named === 'secret' ? 'plain' : named;
      const found =
        Array.isArray(value) && RAW_HEADERS.test(name)
          ? this.#visitList(value, ofValue, true)
          : this.#visit(value, ofValue);
      const foundName = name.length >= MIN_NAME_LENGTH ? this.#visitText(name, 'plain') : name;
      if (found === value && foundName === name) continue;
      entries ??= Object.entries(object);
      entries[index] = [uniqueName(name, foundName, index), found];
    }
    return entries === null ? object : Object.fromEntries(entries);
  }

  #kindOf(name: string, outer: ValueKind, object: JsonObject): ValueKind {
    const kind = this.#kindOfName(name);
    if (SECRET_KINDS.has(outer)) {
      if (kind === 'secret') return kind;
      return kind === 'reference' ? 'hidden' : 'part';
    }
    // `card: { number }`
    if (outer === 'card' && kind === 'reference') return 'card';
    // `{ name: 'password', value }`, and `{ Key: 'password', Value }` of AWS.
    if (kind === 'plain' && (name === 'value' || name === 'Value'))
      return this.#kindOfLabel(object.name ?? object.key ?? object.Name ?? object.Key);
    return kind;
  }

  #kindOfName(name: string): NameKind {
    const kind = this.#settings.names.kindOf(name);
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
      const before = list[index - 1];
      const isNamed = isHeaders ? index % 2 === 1 : isOption(before, value);
      const ofValue = isNamed && this.#kindOfLabel(before) === 'secret' ? 'secret' : kind;
      const found = isPair(value) ? this.#visitPair(value, kind) : this.#visit(value, ofValue);
      if (found === value) continue;
      copy ??= [...list];
      copy[index] = found;
    }
    return copy ?? list;
  }

  /** Visits a name and its value, as clients send headers. */
  #visitPair(pair: [string, unknown], kind: ValueKind): unknown[] {
    const ofName = this.#kindOfLabel(pair[0]);
    if (ofName !== 'secret') return this.#visitList(pair, kind);
    const found = this.#visit(pair[1], ofName);
    return found === pair[1] ? pair : [pair[0], found];
  }

  #visitNumber(value: number, kind: ValueKind): unknown {
    if (SECRET_KINDS.has(kind)) return this.#replaceAll('key');
    if (value < MIN_CARD || kind === 'reference' || this.#isCorrelation || !isCard(String(value)))
      return value;
    return this.#settings.off.has('card') ? value : this.#replaceAll('card');
  }

  #visitText(text: string, kind: ValueKind): string {
    if (SECRET_KINDS.has(kind)) return this.#hide(text, kind);
    if (text.length < MIN_TEXT_LENGTH || this.#isCorrelation) return text;
    if (text.length < MIN_REMEMBERED_LENGTH) return this.#replaceIn(text, kind);
    if (text !== this.#lastText) {
      this.#lastResult = this.#replaceIn(text, kind);
      this.#lastText = text;
    }
    return this.#lastResult;
  }

  /** Replaces a text that is a secret by the name of its field. */
  #hide(text: string, kind: ValueKind): string {
    if (text === '' || text === FILTERED) return text;
    if (kind === 'secret' || (kind === 'part' && text.length >= MIN_PART_LENGTH)) this.#remember(text);
    return this.#replaceAll('key');
  }

  #replaceIn(text: string, kind: ValueKind): string {
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
      if (off.has(rule)) continue;
      copy += text.slice(done, start) + FILTERED;
      done = end;
      this.#remember(text.slice(start, end));
      this.#count(rule);
    }
    return done === 0 ? text : copy + text.slice(done);
  }

  #replaceAll(rule: ScrubRule): string {
    this.#count(rule);
    return FILTERED;
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

/** True for two arguments of a program, of which the first is an option, and the other may be its value. */
function isOption(option: unknown, value: unknown): boolean {
  if (typeof value !== 'string' || typeof option !== 'string') return false;
  return option.startsWith('--') && !value.startsWith('-');
}

function isPair(value: unknown): value is [string, unknown] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string';
}
