import { defineErrors } from '../errors.ts';

export const ENCRYPTION_ERRORS = defineErrors({
  encryption_key_missing: { status: 409, title: 'The service has no key for this secret' },
  encryption_key_wrong: { status: 409, title: 'The stored secret cannot be decrypted' },
});
