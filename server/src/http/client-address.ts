import { isIP, isIPv6 } from 'node:net';

const UNKNOWN = 'unknown';

/**
 * A client's address as it is shown and counted: without the port that some proxies add, and IPv4 in its own form.
 * `unknown` for any other text in a header, of any length: proxies pass on what clients wrote there.
 */
export function plainAddress(ip: string): string {
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(ip) ?? [];
  const [, beforePort] = /^([\d.]+):\d+$/.exec(ip) ?? [];
  const address = bracketed ?? beforePort ?? ip;
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  return isIP(mapped ?? address) === 0 ? UNKNOWN : (mapped ?? address);
}

/**
 * The unit of limits by address: an IPv4 address, or the network of 64 bits that an IPv6 address is in, since one
 * subscriber has all of it. All unknown addresses count as one.
 */
export function addressKey(ip: string): string {
  const address = plainAddress(ip);
  if (!isIPv6(address)) return address;
  const [text = ''] = address.toLowerCase().split('%');
  const [head = '', tail] = text.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  // An embedded IPv4 address stands for two groups.
  const written = left.length + right.length + (text.includes('.') ? 1 : 0);
  const zeros = tail === undefined ? 0 : 8 - written;
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/**
 * The network that the key of an address is in, if one customer has many: of an IPv6 address 48 bits, which contain
 * 65,536 keys. An IPv4 address stands for itself.
 */
export function networkKey(addressKey: string): string {
  return addressKey.endsWith('::/64') ? `${addressKey.split(':').slice(0, 3).join(':')}::/48` : addressKey;
}

export function isLoopback(ip: string): boolean {
  const address = plainAddress(ip);
  return address.startsWith('127.') || address === '::1';
}
