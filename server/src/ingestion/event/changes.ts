import { MAX_ENVIRONMENT_LENGTH } from '../../environments/fold-environment.ts';
import type { EventChange } from '../../events/schema.ts';
import { cutText } from './cut-text.ts';

/** Collects which parts of an event were changed. */
export class Changes {
  readonly #parts = new Set<EventChange>();

  add(part: EventChange, isChanged = true): void {
    if (isChanged) this.#parts.add(part);
  }

  /** Shortens a text, without half of a surrogate pair at its end. */
  shorten(text: string, maxLength: number): string {
    if (text.length <= maxLength) return text;
    this.add('fields');
    return text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '');
  }

  /** Shortens a text, with an ellipsis at its end. */
  cut(text: string, maxLength: number): string {
    this.add('fields', text.length > maxLength);
    return cutText(text, maxLength);
  }

  /** Shortens the name of an environment; undefined: there is none. */
  shortenEnvironment(name: string | null | undefined): string | undefined {
    return name ? this.shorten(name.trim(), MAX_ENVIRONMENT_LENGTH) : undefined;
  }

  /** Undefined: nothing was changed. */
  get list(): EventChange[] | undefined {
    return this.#parts.size > 0 ? [...this.#parts].toSorted() : undefined;
  }
}
