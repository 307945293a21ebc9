import { generateSecret, isWellFormedSecret } from '../secret-format.ts';

const PREFIX = 'tsn_pat_';
/** How much of a token is stored in plain text, to tell tokens apart in a list. */
const SHOWN_LENGTH = 13;

export function generateToken(): { token: string; prefix: string; hash: Buffer } {
  const { secret: token, hash } = generateSecret(PREFIX);
  return { token, prefix: token.slice(0, SHOWN_LENGTH), hash };
}

/** Whether a text has the form of a token. Says nothing about whether the token exists. */
export function isWellFormedToken(text: string): boolean {
  return isWellFormedSecret(PREFIX, text);
}
