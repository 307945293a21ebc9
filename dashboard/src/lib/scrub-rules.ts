import type { Event } from './api-types.ts';

export type ScrubRule = keyof Event['scrubbed'];

/** Names of the rules by which secrets and personal data are replaced. */
export const SCRUB_RULES: Record<ScrubRule, string> = {
  key: 'Secret fields',
  authorization: 'HTTP credentials',
  url: 'Passwords in URLs',
  jwt: 'JSON Web Tokens',
  pem: 'Private keys',
  shape: 'Service keys',
  card: 'Card numbers',
  repeat: 'Repeated secrets',
  email: 'Email addresses',
  ip: 'IP addresses',
  person: 'Personal fields',
};
