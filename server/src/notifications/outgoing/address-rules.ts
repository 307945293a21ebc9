import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** All addresses that are assigned for the global internet lie below it (RFC 4291, 2.4). */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** Well-known prefix of NAT64 (RFC 6052): the last 32 bits are an IPv4 address, which decides. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/**
 * Global by number, but answered by the platform that a machine runs on: Azure's DNS, health probes and guest agent.
 */
const PLATFORM_ADDRESSES = new Set(['168.63.129.16']);
const HOST_NAME = /^(?!.*\.\.)[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?$/;

/** True for an entry of OUTBOUND_ALLOW: an address, a network or a host name. */
export function isAllowEntry(text: string): boolean {
  return readNetwork(text) !== null || HOST_NAME.test(text.toLowerCase());
}

/**
 * Decides which addresses the service may send requests to: those of the global internet, and the entries of
 * OUTBOUND_ALLOW.
 */
export class AddressRules {
  readonly #networks: [Address, number][] = [];
  readonly #hosts = new Set<string>();

  /** @param allow each is an `isAllowEntry` */
  constructor(allow: readonly string[]) {
    for (const entry of allow) {
      const network = readNetwork(entry);
      if (network) this.#networks.push(network);
      else this.#hosts.add(withoutDot(entry.toLowerCase()));
    }
  }

  /** True if the operator has listed the name, without brackets. */
  listsHost(host: string): boolean {
    return this.#hosts.has(withoutDot(host.toLowerCase()));
  }

  /** @param host resolved name, or the address itself, without brackets */
  allows(host: string, address: string): boolean {
    if (this.listsHost(host)) return true;
    const parsed = readAddress(address);
    if (parsed === null) return false;
    return isGlobal(parsed) || this.#networks.some((network) => isWithin(parsed, network));
  }
}

function isGlobal(address: Address): boolean {
  if (address.range() !== 'unicast' || PLATFORM_ADDRESSES.has(address.toString())) return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_IPV6);
}

/** Parses an address; null: it is none. One that only wraps an IPv4 address becomes that address. */
function readAddress(text: string): Address | null {
  // A zone (`fe80::1%eth0`) names an interface of this machine, never an address of the internet.
  if (text.includes('%') || !isPlainAddress(text)) return null;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv4) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (address.match(NAT64)) return new ipaddr.IPv4(address.toByteArray().slice(-4));
  return address;
}

/** True for the one usual notation: `010.1`, `0x7f.1` and `127.1` mean different addresses to different parsers. */
function isPlainAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
}

function readNetwork(text: string): [Address, number] | null {
  const [address = '', bits, ...rest] = text.split('/');
  if (rest.length > 0 || !isPlainAddress(address) || address.includes('%')) return null;
  const parsed = ipaddr.parse(address);
  const longest = parsed.kind() === 'ipv4' ? 32 : 128;
  if (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > longest)) return null;
  return [parsed, bits === undefined ? longest : Number(bits)];
}

function isWithin(address: Address, [network, bits]: [Address, number]): boolean {
  if (address instanceof ipaddr.IPv4) return network instanceof ipaddr.IPv4 && address.match(network, bits);
  return network instanceof ipaddr.IPv6 && address.match(network, bits);
}

function withoutDot(host: string): string {
  return host.replace(/\.$/, '');
}
