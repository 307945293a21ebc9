import { isIP, type LookupFunction } from 'node:net';
import type { AddressRules } from './address-rules.ts';

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** Requester of a look-up, with its deadline. */
export interface Asker {
  /** UUID. */
  organizationId: string;
  signal: AbortSignal;
}

/** Looks up all addresses of a name, once. */
export type Resolve = (host: string, asker: Asker) => Promise<ResolvedAddress[]>;

/** One of the addresses may not be used, so none is: a connection may take any of them. */
export class AddressRefusedError extends Error {
  override name = 'AddressRefusedError';
}

/**
 * Returns the addresses that a connection may go to. They were checked, and the connection must use them: another
 * look-up may answer otherwise. By hand: request-filtering-agent 3.2 would replace this function and the rules, and
 * leave the look-up with its limits.
 * @param host a name or an address, without brackets
 * @throws AddressRefusedError, or the error of the look-up
 */
export async function resolveChecked(
  host: string,
  { rules, resolve, asker }: { rules: AddressRules; resolve: Resolve; asker: Asker },
): Promise<ResolvedAddress[]> {
  const family = isIP(host);
  const addresses = family === 0 ? await resolve(host, asker) : [{ address: host, family }];
  if (addresses.length === 0 || !addresses.every(({ address }) => rules.allows(host, address))) {
    // The address itself is not named: a name of the service's own network would reveal what is in it.
    throw new AddressRefusedError(
      'The address is not in the public internet. OUTBOUND_ALLOW can allow hosts and networks of your own.',
    );
  }
  return addresses;
}

/** Answers with `all`, which Node sets to try addresses of both families in turn, and without. */
export function answerWith(addresses: ResolvedAddress[]): LookupFunction {
  return (_host, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, addresses);
    else callback(null, first?.address ?? '', first?.family);
  };
}
