import { expect, it } from 'vitest';
import { AddressRules, isAllowEntry } from './address-rules.ts';

const PRIVATE = [
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '0.0.0.0',
  '0.1.2.3',
  '192.0.0.8',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  'fe80::1',
  'fe80::1%eth0',
  'fc00::1',
  'fd12::1',
  'fec0::1',
  'ff02::1',
  '2001:db8::1',
  '2001::1',
  '2002:a00:1::',
  '100::1',
  '4000::1',
  '5f00::1',
  '3fff::1',
  '168.63.129.16',
  // IPv4 addresses in other notations.
  '::ffff:168.63.129.16',
  '64:ff9b::a83f:8110',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '::127.0.0.1',
  '64:ff9b::10.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::1',
];
const PUBLIC = [
  '8.8.8.8',
  '1.1.1.1',
  '2606:4700::1111',
  '2a00:1450::1',
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
];
/** Addresses that parsers read differently. */
const ODD = [
  '',
  'localhost',
  '127.1',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '2130706433',
  '8.8.8',
  '8.8.8.8 ',
  '1.2.3.4.5',
];

it.each([...PRIVATE, ...ODD])('refuses the address %s', (address) => {
  expect(new AddressRules([]).allows('example.com', address)).toBe(false);
});

it.each(PUBLIC)('allows the address %s of the global internet', (address) => {
  expect(new AddressRules([]).allows('example.com', address)).toBe(true);
});

it('allows the networks, addresses and hosts of OUTBOUND_ALLOW, and nothing beside them', () => {
  const rules = new AddressRules(['10.0.0.0/8', 'ntfy.lan', '100.64.0.0/10', 'fd00::/8', '192.168.1.7']);
  expect(rules.allows('chat.example', '10.9.8.7')).toBe(true);
  expect(rules.allows('chat.example', '::ffff:10.9.8.7')).toBe(true);
  expect(rules.allows('chat.example', '100.100.1.1')).toBe(true);
  expect(rules.allows('chat.example', 'fd00::7')).toBe(true);
  expect(rules.allows('chat.example', '192.168.1.7')).toBe(true);
  expect(rules.allows('NTFY.lan.', '192.168.1.8')).toBe(true);
  expect(rules.allows('ntfy.lan.example', '192.168.1.8')).toBe(false);
  expect(rules.allows('chat.example', '192.168.1.8')).toBe(false);
  expect(rules.allows('chat.example', '127.0.0.1')).toBe(false);
});

it('recognises the entries of OUTBOUND_ALLOW', () => {
  for (const entry of ['10.0.0.0/8', '10.1.1.1', 'fd00::/8', '::1', 'ntfy.lan', 'my_host', 'NTFY'])
    expect(isAllowEntry(entry), entry).toBe(true);
  for (const entry of [
    '',
    '10.0.0.0/33',
    'fd00::/129',
    'http://ntfy.lan',
    'a..b',
    '-x',
    'a b',
    '10.0.0.0/8/8',
    '*',
  ])
    expect(isAllowEntry(entry), entry).toBe(false);
});
