import { isIPv6 } from 'node:net';

/**
 * What counts as one address where limits go by addresses: an IPv4 address, also in its IPv6 form, or the network
 * of 64 bits that an IPv6 address is in, since one subscriber has all of it.
 */
export function addressKey(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(ip)) return ip;
  const [text = ''] = ip.toLowerCase().split('%');
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

export function isLoopback(ip: string): boolean {
  const key = addressKey(ip);
  return key.startsWith('127.') || ip === '::1';
}
