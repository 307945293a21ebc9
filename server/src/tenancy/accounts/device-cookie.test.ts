import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DEVICE_LIFETIME_SECONDS, DeviceCookie } from './device-cookie.ts';

const NOW = 1_800_000_000_000;
const devices = new DeviceCookie('a secret that is long enough for everybody');

describe('a device cookie', () => {
  const user = randomUUID();

  it('names the device of the user who logged in, and of nobody else', () => {
    const cookie = devices.write(undefined, user, NOW);
    expect(devices.read(cookie, user, NOW)).toMatch(/^[0-9a-f-]{36}$/);
    expect(devices.read(cookie, randomUUID(), NOW)).toBeNull();
    expect(devices.read(undefined, user, NOW)).toBeNull();
  });

  it('expires after 180 days', () => {
    const cookie = devices.write(undefined, user, NOW);
    expect(devices.read(cookie, user, NOW + DEVICE_LIFETIME_SECONDS * 1000 - 1)).not.toBeNull();
    expect(devices.read(cookie, user, NOW + DEVICE_LIFETIME_SECONDS * 1000)).toBeNull();
  });

  it('remembers the last three accounts of a browser, each once', () => {
    const others = Array.from({ length: 3 }, () => randomUUID());
    let cookie = devices.write(undefined, user, NOW);
    for (const other of [...others, others[2] ?? '']) cookie = devices.write(cookie, other, NOW);
    for (const other of others) expect(devices.read(cookie, other, NOW)).not.toBeNull();
    expect(devices.read(cookie, user, NOW)).toBeNull();
    expect(cookie.length).toBeLessThan(1_024);
  });

  it('gets a new device id with each login', () => {
    const first = devices.write(undefined, user, NOW);
    const second = devices.write(first, user, NOW);
    expect(devices.read(second, user, NOW)).not.toBe(devices.read(first, user, NOW));
  });

  it.each<[string, (cookie: string) => string]>([
    ['another user', (cookie) => cookie.replace(/^[^.]+/, randomUUID())],
    ['another device', (cookie) => cookie.replace(/\.[^.]+\./, `.${randomUUID()}.`)],
    ['a later end', (cookie) => cookie.replace(/\.(\d+)\./, '.99999999999.')],
    ['no signature', (cookie) => cookie.replace(/\.[^.]+$/, '.')],
    ['another key', () => new DeviceCookie('another secret, as long as the first one').write('', user, NOW)],
    ['nonsense', () => '~~~...~'],
    ['too much', (cookie) => `${'x'.repeat(2_000)}~${cookie}`],
  ])('rejects a device cookie with %s', (_what, forge) => {
    const forged = forge(devices.write(undefined, user, NOW));
    expect(devices.read(forged, user, NOW)).toBeNull();
    expect(devices.read(devices.write(forged, randomUUID(), NOW), user, NOW)).toBeNull();
  });
});
