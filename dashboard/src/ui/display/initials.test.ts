import { describe, expect, it } from 'vitest';
import { initialsOf } from './initials.tsx';

describe('the initials of a member', () => {
  it('takes the first letters of the first and the last word, whole characters', () => {
    expect(initialsOf('Jürgen Maria Müller-Lüdenscheidt')).toBe('JM');
    expect(initialsOf(' ada ')).toBe('A');
    expect(initialsOf('𝒜da 🦊fox')).toBe('𝒜🦊');
    expect(initialsOf('')).toBe('');
  });
});
