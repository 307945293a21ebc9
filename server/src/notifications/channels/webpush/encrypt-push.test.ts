import { createECDH, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { encryptPush, encryptRecord, isSubscriptionKeys, MAX_PLAIN_BYTES } from './encrypt-push.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');

it('encrypts the example of RFC 8291, appendix A, to the same bytes', () => {
  const body = encryptPush(
    Buffer.from('When I grow up, I want to be a watermelon'),
    {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
    {
      salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
      privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
    },
  );
  expect(body.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

it('encrypts the example of RFC 8188, 3.1, to the same bytes', () => {
  const body = encryptRecord(Buffer.from('I am the walrus'), {
    keyMaterial: bytes('yqdlZ-tYemfogSmv7Ws5PQ'),
    keyId: Buffer.alloc(0),
    salt: bytes('I1BsxtFttlv3u_Oo94xnmw'),
  });
  expect(body.toString('base64url')).toBe(
    'I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg',
  );
});

it('fills 4,096 bytes at most, and never encrypts the same message alike', () => {
  const ecdh = createECDH('prime256v1');
  const keys = {
    p256dh: ecdh.generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
  };
  const plain = Buffer.alloc(MAX_PLAIN_BYTES, 'x');
  expect(encryptPush(plain, keys)).toHaveLength(4_096);
  expect(encryptPush(plain, keys).equals(encryptPush(plain, keys))).toBe(false);
  expect(() => encryptPush(Buffer.alloc(4_096), keys)).toThrow(RangeError);
});

it('refuses keys of other lengths and points beside the curve', () => {
  const p256dh = createECDH('prime256v1').generateKeys('base64url');
  const auth = randomBytes(16).toString('base64url');
  expect(isSubscriptionKeys({ p256dh, auth })).toBe(true);
  const beside = bytes(p256dh);
  beside[64] = (beside[64] ?? 0) ^ 1;
  for (const keys of [
    { p256dh: beside.toString('base64url'), auth },
    { p256dh: p256dh.slice(0, -4), auth },
    { p256dh, auth: 'AAAA' },
    { p256dh: '', auth: '' },
    { p256dh: Buffer.alloc(65).toString('base64url'), auth },
  ])
    expect(isSubscriptionKeys(keys)).toBe(false);
});
