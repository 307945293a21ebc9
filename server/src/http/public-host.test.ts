import { expect, it } from 'vitest';
import { isPublicHost } from './public-host.ts';

it.each([
  'https://tocsin.example.com',
  'https://tocsin.example.com:8443/x',
  'http://203.0.113.7',
  'http://172.32.0.1',
  'http://[2001:db8::1]',
])('counts %s as an address of the internet', (address) => {
  expect(isPublicHost(new URL(address))).toBe(true);
});

it.each([
  'http://localhost:4000',
  'http://tocsin',
  'http://tocsin.local',
  'http://tocsin.local.',
  'http://a.localhost',
  'https://tocsin.corp.internal',
  'http://nas.home.arpa',
  'http://127.0.0.1',
  'http://10.1.2.3',
  'http://172.31.0.1',
  'http://192.168.1.4:4000',
  'http://100.64.0.1',
  'http://[::1]:4000',
  'http://[fd00::1]',
  'http://[fe80::1]',
  'http://[::ffff:10.0.0.1]',
])('counts %s as an address of a private network', (address) => {
  expect(isPublicHost(new URL(address))).toBe(false);
});
