import { isIP } from 'node:net';
import type { AddressRules } from './address-rules.ts';

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** Who asks for a name, and until when. */
export interface Asker {
  /** UUID. */
  organizationId: string;
  signal: AbortSignal;
}

/** All addresses of a name, asked for once. */
export type Resolve = (host: string, asker: Asker) => Promise<ResolvedAddress[]>;

/** One of the addresses may not be used, so none is: which of them a connection takes is up to chance. */
export class AddressRefusedError extends Error {
  override name = 'AddressRefusedError';
}

/**
 * The addresses that a connection may go to. What is returned was checked, and is what has to be connected to: another
 * lookup may answer otherwise. By hand: request-filtering-agent 3.2 would replace this function and the rules, and leave
 * the look-up with its bounds.
 * @param host a name or an address, without brackets
 * @throws AddressRefusedError, or the error of the lookup
 */
export async function resolveChecked(
  host: string,
  { rules, resolve, asker }: { rules: AddressRules; resolve: Resolve; asker: Asker },
): Promise<ResolvedAddress[]> {
  const family = isIP(host);
  const addresses = family === 0 ? await resolve(host, asker) : [{ address: host, family }];
  if (addresses.length === 0 || !addresses.every(({ address }) => rules.allows(host, address))) {
    // Not which address: a name of the service's own network would tell what is in it.
    throw new AddressRefusedError(
      'The address is not in the public internet. OUTBOUND_ALLOW can allow hosts and networks of your own.',
    );
  }
  return addresses;
}
