import { Random } from '@tocsin/simulation/random';
import { generateSecret } from '../../src/tenancy/secret-format.ts';

/*
 * Secrets of known forms that belong to no account. Each is put together from parts, so that no scanner finds one in this
 * file.
 */

const DIGITS = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const LETTERS = UPPER + LOWER;
const BASE62 = DIGITS + LETTERS;

const random = new Random(2_026);
const draw = (length: number, alphabet = BASE62) =>
  Array.from({ length }, () => alphabet.charAt(Math.floor(random.uniform() * alphabet.length))).join('');
const base64url = (text: string) => Buffer.from(text).toString('base64url');

/** Numbers of cards that their networks publish for tests. */
const CARDS = [
  ['4242', '4242', '4242', '4242'],
  ['4000', '0566', '5566', '5556'],
  ['5555', '5555', '5555', '4444'],
  ['2223', '0031', '2200', '3222'],
  ['3782', '822463', '10005'],
  ['6011', '1111', '1111', '1117'],
  ['3056', '930902', '5904'],
  ['3566', '0020', '2036', '0505'],
  ['6200', '0000', '0000', '0005'],
] as const;

const pem = (label: string) =>
  [`-----BEGIN ${label}-----`, ...Array.from({ length: 4 }, () => draw(64)), `-----END ${label}-----`].join(
    '\n',
  );

const claims = base64url(`{"sub":"${draw(12)}","exp":1795000000}`);

/** Secrets that their form alone shows. */
export const SHAPED_SECRETS: string[] = [
  ['AKIA', draw(16, `${UPPER}234567`)],
  ['ASIA', draw(16, `${UPPER}234567`)],
  ['ghp_', draw(36)],
  ['gho_', draw(36)],
  ['ghs_', draw(36)],
  ['github_pat_', `${draw(22)}_${draw(59)}`],
  ['glpat-', draw(20)],
  ['xoxb-', `${draw(12, DIGITS)}-${draw(12, DIGITS)}-${draw(24)}`],
  ['xapp-', `1-${draw(11, UPPER)}-${draw(13, DIGITS)}-${draw(64)}`],
  ['sk_live_', draw(24)],
  ['rk_live_', draw(99)],
  ['sk_test_', draw(24)],
  ['whsec_', draw(32)],
  ['AIza', draw(35)],
  ['GOCSPX-', draw(28)],
  ['ya29.', draw(120)],
  ['npm_', draw(36)],
  ['pypi-', draw(120)],
  ['SG.', `${draw(22)}.${draw(43)}`],
  ['sk-ant-', `api03-${draw(80)}`],
  ['sk-proj-', draw(80)],
  ['sk-', draw(48)],
  ['shpat_', draw(32, '0123456789abcdef')],
  ['dop_v1_', draw(64, '0123456789abcdef')],
  ['hf_', draw(34)],
  ['hvs.', draw(90)],
  [generateSecret('tsn_live_').secret],
  [generateSecret('tsn_pat_').secret],
  [base64url('{"alg":"HS256","typ":"JWT"}'), '.', claims, '.', draw(43)],
  [base64url('{"alg":"RS256","kid":"1"}'), '.', claims, '.', draw(342)],
  [
    base64url('{"alg":"RSA-OAEP","enc":"A256GCM"}'),
    '.',
    draw(342),
    '.',
    draw(16),
    '.',
    draw(80),
    '.',
    draw(22),
  ],
  ['Bearer ', draw(40)],
  ['bearer ', draw(20, `${DIGITS}abcdef`)],
  ['Basic ', Buffer.from(`app:${draw(12)}`).toString('base64')],
  ['postgres://app:', draw(14), '@db.shop.example:5432/shop'],
  ['https://', draw(24), '@git.shop.example/shop.git'],
  [pem('PRIVATE KEY')],
  [pem('RSA PRIVATE KEY')],
  [pem('EC PRIVATE KEY')],
  [pem('OPENSSH PRIVATE KEY')],
  [pem('PGP PRIVATE KEY BLOCK')],
  ...CARDS.map((groups) => [groups.join('')]),
  ...CARDS.map((groups) => [groups.join(' ')]),
  ...CARDS.map((groups) => [groups.join('-')]),
].map((parts) => parts.join(''));

/** Secrets that only their name shows. */
export const NAMED_SECRETS: string[] = [
  `hunter2${draw(3)}`,
  `Tr0ub4dor${draw(4)}`,
  `Sommer2026!${draw(2)}`,
  `käse${draw(6)}9`,
  `correct-horse-battery-staple-${draw(4)}`,
  draw(40, '0123456789abcdef'),
  draw(32),
  `${draw(60)}==`,
  `p%40ss${draw(8)}7`,
  `${draw(8)}+1/${draw(8)}`,
];
