import { Resolver } from 'node:dns/promises';
import { KeyedQueue } from '../../platform/keyed-queue.ts';
import type { AddressRules } from './address-rules.ts';
import { FailedNames } from './failed-names.ts';
import type { Resolve, ResolvedAddress } from './resolve.ts';

/** Time limit of the first try; the second one has twice as long. */
const TIMEOUT_MS = 1_500;
const TRIES = 2;
/** Time limit for all name servers together. */
const LOOKUP_LIMIT_MS = 5_000;
/** Limits of concurrent look-ups: an organization's cannot delay those of others. */
const LOOKUPS = { maxRunning: 256, maxRunningPerKey: 2, maxWaiting: 4_096, maxShare: 1 / 16 };
/** Errors that may come from a fault of the name servers themselves. */
const TRANSIENT_CODES = new Set([
  'ETIMEOUT',
  'ECANCELLED',
  'ESERVFAIL',
  'ECONNREFUSED',
  'EAI_AGAIN',
  'EREFUSED',
]);
/** Answers to the probe that prove a working name server. */
const ANSWERED_CODES = new Set(['ENODATA', 'ENOTFOUND', 'EREFUSED', 'ENOTIMP', 'EFORMERR']);

export interface NameLookupOptions {
  rules: AddressRules;
  /** Addresses, with a port or without; empty: the system's name servers. */
  nameServers: readonly string[];
  monotonicMs: () => number;
  lookUpBySystem: (host: string, signal: AbortSignal) => Promise<ResolvedAddress[]>;
  timeoutMs?: number;
}

interface NameServers {
  addresses: readonly string[];
  timeoutMs: number;
}

export class LookupError extends Error {
  override name = 'LookupError';
  /** True if the service could not have looked up any name. */
  readonly isOwnFault: boolean;

  constructor(message: string, { isOwnFault }: { isOwnFault: boolean }) {
    super(message);
    this.isOwnFault = isOwnFault;
  }
}

/**
 * Looks up names that users choose, by a resolver that is ended after some seconds: a name whose server never answers
 * holds no thread, and only places of its own organization. A name that failed is not asked for again within half a
 * minute. Names in OUTBOUND_ALLOW are the operator's, and looked up by the system.
 */
export function createResolve({
  rules,
  nameServers,
  monotonicMs,
  lookUpBySystem,
  timeoutMs = TIMEOUT_MS,
}: NameLookupOptions): Resolve {
  const servers = { addresses: nameServers, timeoutMs };
  const queue = new KeyedQueue(LOOKUPS);
  const failed = new FailedNames<LookupError>(monotonicMs);
  const lookUp = async (host: string, signal: AbortSignal) => {
    failed.assertNone(host);
    try {
      return await (rules.listsHost(host)
        ? lookUpBySystem(host, signal)
        : askNameServers(host, servers, signal));
    } catch (error) {
      signal.throwIfAborted();
      const explained = await explain(error, servers);
      // Name servers that are back are asked at once.
      if (!explained.isOwnFault) failed.add(host, explained);
      throw explained;
    }
  };
  return async (host, { organizationId, signal }) => {
    failed.assertNone(host);
    return queue.run({ key: organizationId, signal, refuse: tooManyNames }, () => lookUp(host, signal));
  };
}

function tooManyNames(): LookupError {
  return new LookupError('The organization has too many host names looked up at once.', {
    isOwnFault: false,
  });
}

async function askNameServers(
  host: string,
  servers: NameServers,
  signal: AbortSignal,
): Promise<ResolvedAddress[]> {
  const [ipv4, ipv6] = await withResolver(servers, signal, (resolver) =>
    Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]),
  );
  const addresses = [
    ...(ipv4.status === 'fulfilled' ? ipv4.value.map((address) => ({ address, family: 4 })) : []),
    ...(ipv6.status === 'fulfilled' ? ipv6.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (addresses.length > 0) return addresses;
  const errors = [ipv4, ipv6].flatMap((each): unknown[] => (each.status === 'rejected' ? [each.reason] : []));
  // A missing address of one family does not explain why the other one failed.
  throw errors.find((error) => TRANSIENT_CODES.has(codeOf(error))) ?? errors[0];
}

/** Runs with a resolver of its own: it reads the system's name servers again, and ending it ends no other look-up. */
async function withResolver<T>(
  { addresses, timeoutMs }: NameServers,
  signal: AbortSignal,
  ask: (resolver: Resolver) => Promise<T>,
): Promise<T> {
  const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES });
  if (addresses.length > 0) resolver.setServers(addresses);
  const end = () => resolver.cancel();
  const timer = setTimeout(end, LOOKUP_LIMIT_MS);
  signal.addEventListener('abort', end, { once: true });
  try {
    return await ask(resolver);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

async function explain(error: unknown, servers: NameServers): Promise<LookupError> {
  // A cancelled look-up had no answer in time.
  const code = codeOf(error).replace('ECANCELLED', 'ETIMEOUT');
  if (TRANSIENT_CODES.has(code) && !(await doNameServersAnswer(servers)))
    return new LookupError(
      `The service cannot look up host names: its name servers do not answer (${code}).`,
      { isOwnFault: true },
    );
  return new LookupError(`The host name cannot be resolved (${code}).`, { isOwnFault: false });
}

/** Asks for the root, which every name server can answer or refuse. */
async function doNameServersAnswer(servers: NameServers): Promise<boolean> {
  try {
    await withResolver(servers, AbortSignal.timeout(servers.timeoutMs), (resolver) =>
      resolver.resolveNs('.'),
    );
    return true;
  } catch (error) {
    return ANSWERED_CODES.has(codeOf(error));
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
