import { CommandError } from '../../platform/command-error.ts';
import { readCredentials } from './credentials.ts';
import { EXIT_CODES } from './exit-codes.ts';

export const DEFAULT_URL = 'http://127.0.0.1:4000';

/** The management API of a server, and the access token for it. */
export interface Connection {
  /** Base address: it may end in a path, with or without a slash. */
  url: URL;
  token: string;
}

/**
 * Finds the server and the token of the environment, else those of `tocsin login`. A stored token is sent to the
 * server that it was stored for and to no other.
 * @throws CommandError
 */
export async function findConnection(environment: NodeJS.ProcessEnv): Promise<Connection> {
  const urlText = environment['TOCSIN_URL']?.trim();
  const ownToken = environment['TOCSIN_TOKEN']?.trim();
  const url = urlText ? parseServerUrl(urlText, 'TOCSIN_URL') : null;
  if (ownToken && url) return { url, token: checkToken(ownToken, 'TOCSIN_TOKEN') };
  const stored = await readCredentials(environment);
  const storedUrl = stored && new URL(stored.url);
  if (ownToken) {
    const token = checkToken(ownToken, 'TOCSIN_TOKEN');
    return { url: storedUrl ?? new URL(DEFAULT_URL), token };
  }
  if (!stored || !storedUrl) {
    const where = url ? ` ${url.href}` : '';
    throw new CommandError(`There is no access token: run \`tocsin login${where}\`, or set TOCSIN_TOKEN.`, {
      exitCode: EXIT_CODES.unauthenticated,
    });
  }
  if (url && serverOf(url) !== serverOf(storedUrl)) {
    throw new CommandError(
      `You are logged in to ${storedUrl.href}, and TOCSIN_URL is ${url.href}: run \`tocsin login ${url.href}\`, or set TOCSIN_TOKEN.`,
      { exitCode: EXIT_CODES.unauthenticated },
    );
  }
  return { url: storedUrl, token: checkToken(stored.token, 'The stored token') };
}

/** @param name name of the value in the error */
export function parseServerUrl(text: string, name: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new CommandError(`${name} must begin with http:// or https://.`);
  if (url.username || url.password)
    throw new CommandError(`${name} must not contain a user name or a password.`);
  return url;
}

/** Checks the token's form: any other text would fail as a header, with the token in the error's message. */
export function checkToken(token: string, name: string): string {
  if (token.startsWith('tsn_live_'))
    throw new CommandError(
      `${name} is an API key, which sends events. An access token begins with tsn_pat_.`,
    );
  if (/^tsn_pat_\w+$/.test(token)) return token;
  throw new CommandError(`${name} is not an access token: one begins with tsn_pat_.`);
}

function serverOf(url: URL): string {
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
