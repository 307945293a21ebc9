const MAX_URL_LENGTH = 2_048;
/** Characters that RFC 3986 allows in an address; parsers differ on all others. */
const RFC_CHARACTERS = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+$/;

/**
 * Reads an address that requests may be sent to, by the same parser that sends them.
 * @returns or a sentence that says what is wrong, without the address, which may contain a secret
 */
export function readTargetUrl(text: string): { url: URL } | { problem: string } {
  if (text.length > MAX_URL_LENGTH) return { problem: `It has more than ${MAX_URL_LENGTH} characters.` };
  if (!RFC_CHARACTERS.test(text))
    return { problem: 'It contains characters that are not allowed in an address.' };
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    return { problem: 'It must be an address that begins with https:// or http://.' };
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    return { problem: 'It must not contain a user name or a password.' };
  }
  return { url };
}
