import { accessSync, constants } from 'node:fs';
import { isIP } from 'node:net';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { isAllowEntry } from './notifications/outgoing/address-rules.ts';
import { PasswordCheck } from './tenancy/accounts/password-policy.ts';
import { SignUpMode } from './tenancy/accounts/sign-up-policy.ts';

/* Parsers of environment values. Each returns undefined for a text that it cannot parse. */

const LogLevel = Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']);
export type LogLevel = Static<typeof LogLevel>;

export function integer(minimum: number, maximum: number): (text: string) => number | undefined {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return value >= minimum && value <= maximum ? value : undefined;
  };
}

export function httpUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
}

/** Parses an address of ClickHouse's HTTP interface, which names the database. */
export function archiveUrl(text: string): URL | undefined {
  const url = httpUrl(text);
  return url && /^\/[A-Za-z_]\w*$/.test(url.pathname) && url.search === '' ? url : undefined;
}

export function clusterName(text: string): string | undefined {
  return /^[A-Za-z_][\w-]{0,62}$/.test(text) ? text : undefined;
}

/**
 * Parses an address. If the host is a socket, PostgreSQL's own notation has none before the path, which a URL must
 * have.
 */
export function databaseUrl(text: string): string | undefined {
  // Refused by a sentence of its own.
  if (namesSeveralHosts(text)) return text;
  const url = text.replace(/^(postgres(?:ql)?:\/\/[^/]*@)\//, '$1socket/');
  if (!URL.canParse(url)) return undefined;
  return ['postgres:', 'postgresql:'].includes(new URL(url).protocol) ? text : undefined;
}

/** True for the form of libpq with several hosts, which the driver does not know, in the authority or as `host`. */
function namesSeveralHosts(text: string): boolean {
  const [address = '', query] = text.split('?');
  const authority = /^postgres(?:ql)?:\/\/(?:[^/]*@)?([^/@]*)/.exec(address)?.[1];
  const hosts = new URLSearchParams(query).get('host');
  return [authority, hosts].some((names) => names?.includes(','));
}

/** Reports an address with several hosts: the choice between them needs a place that all processes ask. */
export function severalHosts(databaseUrl: string | null): string | null {
  if (databaseUrl === null || !namesSeveralHosts(databaseUrl)) return null;
  return 'DATABASE_URL must name one host: use the address of HAProxy, a virtual address, or PgBouncer in session mode, which leads to the primary.';
}

/** Reports a wrong path of a CA certificate, which each process would read only when a connection is made. */
export function unreadableCertificate(databaseUrl: string | null): string | null {
  if (databaseUrl === null) return null;
  const file = new URLSearchParams(databaseUrl.split('?')[1]).get('sslrootcert');
  if (file === null) return null;
  try {
    accessSync(file, constants.R_OK);
    return null;
  } catch {
    return 'DATABASE_URL names a CA certificate in sslrootcert that cannot be read.';
  }
}

export function flag(text: string): boolean | undefined {
  return text === 'true' || text === 'false' ? text === 'true' : undefined;
}

export function logLevel(text: string): LogLevel | undefined {
  return Value.Check(LogLevel, text) ? text : undefined;
}

export function signUpMode(text: string): SignUpMode | undefined {
  return Value.Check(SignUpMode, text) ? text : undefined;
}

export function passwordCheck(text: string): PasswordCheck | undefined {
  return Value.Check(PasswordCheck, text) ? text : undefined;
}

export function trustProxy(text: string): boolean | string[] | undefined {
  if (text === 'true' || text === 'false') return text === 'true';
  const addresses = text.split(',').map((address) => address.trim());
  return addresses.every(isAddressOrNetwork) ? addresses : undefined;
}

export function outboundAllow(text: string): string[] | undefined {
  const entries = text.split(',').map((entry) => entry.trim());
  return entries.every(isAllowEntry) ? entries : undefined;
}

/** `10.0.0.1`, `10.0.0.0/8` or `fd00::/8`. */
function isAddressOrNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  const maximum = version === 4 ? 32 : 128;
  return (
    version !== 0 && rest.length === 0 && (bits === undefined || integer(0, maximum)(bits) !== undefined)
  );
}

/**
 * Variables that were probably misspelled: names one slip away from ours. Only names that no other program would use
 * are checked: those that share a word with ours and are not ours.
 */
export function misspelled(environment: Record<string, string | undefined>, names: string[]): string[] {
  return Object.keys(environment)
    .filter((name) => !names.includes(name) && name.length >= 6)
    .flatMap((name) => {
      const meant = names.find((known) => known.length >= 6 && editDistance(name, known) <= 2);
      return meant ? [`${name} is unknown: did you mean ${meant}?`] : [];
    });
}

/** Levenshtein distance; the names are short and few. */
function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}
