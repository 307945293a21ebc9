import type { Command } from 'commander';
import { CommandError } from '../../platform/command-error.ts';
import { checkToken, DEFAULT_URL, parseServerUrl } from './connection.ts';
import { deleteCredentials, readCredentials, writeCredentials } from './credentials.ts';
import { helpWith } from './exit-codes.ts';
import { readSecret } from './read-secret.ts';
import { asFields, callApi } from './request.ts';
import { note, printLines, type Terminal } from './terminal.ts';
import { toLine } from './text.ts';

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** `tocsin login [URL]` */
export function defineLogin(program: Command, terminal: Terminal): void {
  program
    .command('login')
    .showHelpAfterError(false)
    .description(
      'Store an access token for the commands below. Reads it from the terminal or from standard input.',
    )
    .argument(
      '[url]',
      `address of the dashboard (default: the one of the last login, TOCSIN_URL, else ${DEFAULT_URL})`,
    )
    .addHelpText(
      'after',
      `
Create the token in the dashboard, under Account → Access tokens; the scopes read and write are enough for all commands.
It is stored in $XDG_CONFIG_HOME/tocsin/credentials.json (~/.config), which only you can read. TOCSIN_URL and TOCSIN_TOKEN take
precedence over the file.
${helpWith('tocsin login https://tocsin.example.com', 'pass show tocsin | tocsin login https://tocsin.example.com')}`,
    )
    .action((url: string | undefined) => logIn(terminal, url));
}

/** `tocsin logout` */
export function defineLogout(program: Command, terminal: Terminal): void {
  program
    .command('logout')
    .showHelpAfterError(false)
    .description('Remove the stored access token from this machine. It stays valid until it is revoked.')
    .addHelpText('after', helpWith('tocsin logout'))
    .action(async () => {
      const wasThere = await deleteCredentials(terminal.environment);
      const rest =
        'Revoke the token in the dashboard, under Account → Access tokens, if nothing else uses it.';
      await printLines(terminal, [wasThere ? `Removed the stored token. ${rest}` : 'No token was stored.']);
    });
}

async function logIn(terminal: Terminal, urlText: string | undefined): Promise<void> {
  const { environment } = terminal;
  const given = urlText ?? environment['TOCSIN_URL']?.trim();
  const url = given
    ? parseServerUrl(given, urlText === undefined ? 'TOCSIN_URL' : 'The address')
    : new URL((await readCredentials(environment))?.url ?? DEFAULT_URL);
  const secret = await readSecret(terminal, `Access token for ${url.href}: `);
  if (secret === '') throw new CommandError('There is no access token: type it, or pipe it in.');
  const token = checkToken(secret, 'This');
  const { user, organization } = asFields((await callApi({ url, token }, { path: '/auth/me' })).body);
  const file = await writeCredentials(environment, { url: url.href, token });
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
    note(terminal, 'Warning: the address has no TLS, so the token can be read on the way.');
  if (environment['TOCSIN_TOKEN']?.trim())
    note(terminal, 'Warning: TOCSIN_TOKEN is set and takes precedence over the stored token.');
  const { name, email } = asFields(user);
  const of = toLine(asFields(organization)['name']);
  await printLines(terminal, [
    `Logged in to ${url.href} as ${toLine(name)} (${toLine(email)}), organization ${of}.`,
    `The token is in ${file}.`,
  ]);
}
