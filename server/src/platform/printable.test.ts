import { describe, expect, it } from 'vitest';
import { printable } from './printable.ts';

describe('a text that is printed on a terminal', () => {
  it('shows escape sequences and carriage returns instead of sending them', () => {
    expect(printable('\u001B]0;title\u0007 gone\rover \u009B2J')).toBe(
      '\\x1b]0;title\\x07 gone\\x0dover \\x9b2J',
    );
  });

  it('keeps tabs, line feeds and every letter', () => {
    expect(printable('a\tb\nKüche 日本 🔔')).toBe('a\tb\nKüche 日本 🔔');
  });
});
