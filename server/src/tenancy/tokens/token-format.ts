import { generateSecret, isWellFormedSecret } from '../secret-format.ts';

const PREFIX = 'tsn_pat_';
/** Characters of a token that are stored in plain text, to tell tokens apart in a list. */
const SHOWN_LENGTH = 13;

export function generateToken(): { token: string; prefix: string; hash: Buffer } {
  const { secret: token, hash } = generateSecret(PREFIX);
  return { token, prefix: token.slice(0, SHOWN_LENGTH), hash };
}

/** True if a text has the form of a token. Does not say that the token exists. */
export function isWellFormedToken(text: string): boolean {
  return isWellFormedSecret(PREFIX, text);
}
