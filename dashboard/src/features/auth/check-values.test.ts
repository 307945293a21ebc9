import { describe, expect, it } from 'vitest';
import { checkLogIn, checkSignUp } from './check-values.ts';

describe('the check of entered values', () => {
  it('reports the errors of all fields together', () => {
    const errors = checkSignUp({ name: ' ', email: 'ada', password: 'short' });
    expect(Object.fromEntries(errors?.fields ?? [])).toEqual({
      name: 'Enter your name.',
      email: 'Enter an email address, such as ada@example.com.',
      password: 'Use at least 8 characters (5 so far).',
    });
  });

  it('passes valid values', () => {
    expect(checkSignUp({ name: 'Ada', email: ' ada@example.com ', password: '12345678' })).toBeNull();
    expect(checkLogIn({ email: 'ada@example.com', password: 'x' })).toBeNull();
  });

  it('counts characters, not code units, in a password', () => {
    expect(
      checkSignUp({ name: 'Ada', email: 'a@b', password: '🔔🔔🔔🔔' })?.fields.get('password'),
    ).toContain('4 so far');
  });
});
