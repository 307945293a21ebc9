import { describe, expect, it } from 'vitest';
import { addressKey, isLoopback, networkKey, plainAddress } from './client-address.ts';

describe('the address of a client', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7:49152', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['[::ffff:192.0.2.7]:80', '192.0.2.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:49152', '2001:db8::1'],
    ['192.0.2:80', 'unknown'],
    ['192.0.2.7 ', 'unknown'],
    ['[192.0.2.7', 'unknown'],
    ['_hidden', 'unknown'],
    ['x'.repeat(16_000), 'unknown'],
    ['', 'unknown'],
  ])('shows a client’s address without port and brackets: %s', (ip, shown) => {
    expect(plainAddress(ip)).toBe(shown);
  });

  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7:49152', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0db8:0001::', '2001:db8:1:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
    ['not an address', 'unknown'],
  ])('counts a client’s address with its network: %s as %s', (ip, key) => {
    expect(addressKey(ip)).toBe(key);
  });

  it.each([
    ['2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:db8:0:0::/64', '2001:db8:0::/48'],
    ['0:0:0:0::/64', '0:0:0::/48'],
    ['192.0.2.7', '192.0.2.7'],
    ['unknown', 'unknown'],
  ])('counts the network of a customer beside the address: %s as %s', (key, network) => {
    expect(networkKey(key)).toBe(network);
  });

  it.each([
    ['127.0.0.1', true],
    ['127.9.9.9', true],
    ['::ffff:127.0.0.1', true],
    ['::1', true],
    ['::2', false],
    ['10.0.0.1', false],
    ['128.0.0.1', false],
    ['127.x', false],
  ])('says whether it is of this machine: %s is %s', (ip, expected) => {
    expect(isLoopback(ip)).toBe(expected);
  });
});
