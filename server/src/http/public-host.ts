import { BlockList, isIP } from 'node:net';

/** Special-use names (RFC 6761, 6762, 8375, 9476) and those that routers of homes and offices use. */
const PRIVATE_SUFFIXES = [
  'localhost',
  'local',
  'internal',
  'home.arpa',
  'lan',
  'home',
  'corp',
  'intranet',
  'test',
  'invalid',
];

/** Loopback, private, link-local, shared (RFC 6598) and unique local (RFC 4193) networks. */
const PRIVATE_NETWORKS = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  PRIVATE_NETWORKS.addSubnet(network, bits, 'ipv4');
}
for (const [network, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  PRIVATE_NETWORKS.addSubnet(network, bits, 'ipv6');
}

/**
 * True if the host of an address may be one of the internet, judging by its name alone: no look-up is made, so a
 * public name of a private address counts as public.
 */
export function isPublicHost({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const version = isIP(host);
  if (version !== 0) return !PRIVATE_NETWORKS.check(host, version === 4 ? 'ipv4' : 'ipv6');
  return host.includes('.') && !PRIVATE_SUFFIXES.some((suffix) => host.endsWith(`.${suffix}`));
}
