const MAX_URL_LENGTH = 2_048;
/** What RFC 3986 allows in an address; parsers differ on everything else. */
const RFC_CHARACTERS = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+$/;

/**
 * An address that requests may be sent to, read by the same parser that sends them.
 * @returns or a sentence that says what is wrong with it, without the address, which may hold a secret
 */
export function readTargetUrl(text: string): { url: URL } | { problem: string } {
  if (text.length > MAX_URL_LENGTH) return { problem: `It has more than ${MAX_URL_LENGTH} characters.` };
  if (!RFC_CHARACTERS.test(text)) return { problem: 'It holds characters that no address has.' };
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    return { problem: 'It has to be an address that begins with https:// or http://.' };
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    return { problem: 'It must not hold a user name or a password.' };
  }
  return { url };
}
