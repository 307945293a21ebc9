import { describe, expect, it } from 'vitest';
import { ApiError, NetworkError } from './api.ts';
import { toFieldErrors, toFormErrors } from './form-errors.ts';

describe('a errors', () => {
  it('shows an error beside the field that the API names', () => {
    const error = new ApiError(400, {
      detail: 'body/password must NOT have fewer than 8 characters.',
      code: 'validation_failed',
      errors: [{ pointer: '/password', message: 'must NOT have fewer than 8 characters' }],
    });
    const { fields, message } = toFormErrors(error, ['email', 'password']);
    expect([...fields]).toEqual([['password', 'Must not have fewer than 8 characters.']]);
    expect(message).toBeNull();
  });

  it('shows an error above the form where it is about none of its fields', () => {
    const error = new ApiError(400, { detail: 'No.', errors: [{ pointer: '/other', message: 'is wrong' }] });
    expect(toFormErrors(error, ['email'])).toEqual({ fields: new Map(), message: 'No.' });
    expect(toFormErrors(new NetworkError('Away.'), ['email']).message).toBe('Away.');
  });

  it('returns no form errors where nothing is wrong', () => {
    expect(toFieldErrors({ name: undefined })).toBeNull();
    expect(toFieldErrors({ name: 'Enter a name.', email: undefined })?.fields.size).toBe(1);
  });
});
