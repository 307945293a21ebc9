import { FILTERED } from './replacement.ts';
import type { ScrubRule } from './schema.ts';

/** Secret that its form alone shows. */
interface SecretShape {
  rule: ScrubRule;
  /** Beginning, which stands at the beginning of a word. */
  prefix: string;
  /** Sticky; its first group is the secret, else the whole match is. Each repetition is of one class, so that time is linear. */
  pattern: RegExp;
  /** Further condition on the secret. */
  isSecret?: (secret: string) => boolean;
}

/** Keys of services, by the forms that they document. */
const KEYS: [prefixes: string[], rest: string][] = [
  // AWS, IAM identifiers: unique identifiers, https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html
  [['AKIA', 'ASIA', 'ABIA', 'ACCA'], '[A-Z2-7]{16}(?![\\w])'],
  // GitHub, https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github
  [['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], '[A-Za-z0-9]{36,255}'],
  [['github_pat_'], '\\w{22,255}'],
  // GitLab, https://docs.gitlab.com/security/tokens/#token-prefixes
  [['glpat-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-'], '[\\w.-]{20,255}'],
  // Slack, https://api.slack.com/authentication/token-types
  [['xoxb-', 'xoxp-', 'xoxa-', 'xoxe-', 'xoxr-', 'xoxs-', 'xapp-'], '[\\w.-]{10,255}'],
  // Slack, https://api.slack.com/messaging/webhooks
  [['hooks.slack.com/services/'], '([\\w/]{20,255})'],
  // Discord, https://discord.com/developers/docs/resources/webhook
  [['discord.com/api/webhooks/', 'discordapp.com/api/webhooks/'], '(\\d{5,25}/[\\w-]{30,255})'],
  // Stripe, https://docs.stripe.com/keys
  [['sk_live_', 'rk_live_', 'sk_test_', 'rk_test_'], '[A-Za-z0-9]{16,255}'],
  // Stripe and Standard Webhooks, https://docs.stripe.com/webhooks
  [['whsec_'], '[A-Za-z0-9+/]{16,255}={0,2}'],
  // Google, https://cloud.google.com/docs/authentication/api-keys; client secrets and access tokens of OAuth
  [['AIza'], '[\\w-]{35}(?![\\w-])'],
  [['GOCSPX-'], '[\\w-]{20,255}'],
  [['ya29.'], '[\\w.-]{20,1024}'],
  // npm, https://docs.npmjs.com/about-access-tokens; PyPI, https://pypi.org/help/#apitoken
  [['npm_'], '[A-Za-z0-9]{36}(?!\\w)'],
  [['pypi-'], '[\\w-]{50,512}'],
  // SendGrid, https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys
  [['SG.'], '[\\w-]{16,64}\\.[\\w-]{16,128}'],
  // OpenAI and Anthropic, by the prefixes of the keys that they issue
  [['sk-ant-', 'sk-proj-', 'sk-svcacct-', 'sk-admin-'], '[\\w-]{20,512}'],
  [['sk-'], '[A-Za-z0-9]{32,512}(?![\\w-])'],
  // Shopify, https://shopify.dev/docs/apps/build/authentication-authorization
  [['shpat_', 'shpca_', 'shppa_', 'shpss_'], '[\\da-fA-F]{32}(?!\\w)'],
  // DigitalOcean, https://docs.digitalocean.com/reference/api/create-personal-access-token/
  [['dop_v1_', 'doo_v1_', 'dor_v1_'], '[\\da-f]{64}(?!\\w)'],
  // Hugging Face, https://huggingface.co/docs/hub/security-tokens
  [['hf_'], '[A-Za-z0-9]{30,255}'],
  // HashiCorp Vault, https://developer.hashicorp.com/vault/docs/concepts/tokens
  [['hvs.', 'hvb.'], '[\\w-]{24,512}'],
  // Secrets of Tocsin itself: `server/src/tenancy/secret-format.ts`
  [['tsn_'], '[a-z]{3,8}_[A-Za-z0-9]{38}(?!\\w)'],
];

/** Scheme and value of RFC 6750, and of RFC 7617. */
const SCHEMES: SecretShape[] = ['Bearer', 'bearer', 'BEARER'].map((prefix) => ({
  rule: 'authorization' as const,
  prefix,
  pattern: new RegExp(`${prefix}(?:[ \\t]{1,4}|%20)([\\w.~+/-]{8,8192}(?:={1,2}(?![^\\s"',;)}]))?)`, 'y'),
  isSecret: isIrregular,
}));
for (const prefix of ['Basic', 'basic', 'BASIC'])
  SCHEMES.push({
    rule: 'authorization',
    prefix,
    pattern: new RegExp(`${prefix}(?:[ \\t]{1,4}|%20)([A-Za-z0-9+/]{6,2048}={0,2})`, 'y'),
    isSecret: isUserAndPassword,
  });

/** Passwords in statements of SQL, whose quotes are doubled or escaped within. */
const STATEMENTS: SecretShape[] = [
  ['IDENTIFIED', '(?: WITH [\\w\'"]{1,64})? (?:BY|AS)(?: PASSWORD)?'],
  ['identified', '(?: with [\\w\'"]{1,64})? (?:by|as)(?: password)?'],
  ['PASSWORD', ''],
  ['with password', ''],
].flatMap(([prefix = '', rest = '']) =>
  [`'((?:[^'\\\\]|''|\\\\.){1,512})`, `\\\\?"([^"\\\\]{1,512})`].map((quoted) => ({
    rule: 'key' as const,
    prefix,
    pattern: new RegExp(`${prefix}${rest} {1,4}${quoted}`, 'y'),
    isSecret: (secret: string) => secret !== FILTERED,
  })),
);

const SHAPES: SecretShape[] = [
  ...KEYS.flatMap(([prefixes, rest]) =>
    prefixes.map(
      (prefix): SecretShape => ({
        rule: 'shape',
        prefix,
        pattern: new RegExp(prefix.replaceAll('.', '\\.') + rest, 'y'),
      }),
    ),
  ),
  // RFC 7519 and 7516: base64url of `{"` begins the header; a JWS has 3 parts, a JWE has 5.
  { rule: 'jwt', prefix: 'eyJ', pattern: /(?<!-)eyJ[\w-]{8,}\.[\w-]*(?:\.[\w-]*){1,3}/y },
  ...SCHEMES,
  ...STATEMENTS,
];

/** Returns a number for the first two characters of a prefix: below 16,384. */
const pairOf = (first: number, second: number) => (first << 7) | second;

/** Shapes by the first two characters of their prefixes. */
const BY_PAIR: (readonly SecretShape[] | undefined)[] = Array.from({ length: 128 * 128 }, () => undefined);
for (const shape of SHAPES) {
  const pair = pairOf(shape.prefix.charCodeAt(0), shape.prefix.charCodeAt(1));
  BY_PAIR[pair] = [...(BY_PAIR[pair] ?? []), shape];
}

/** Part of a text that is a secret. */
export interface SecretSpan {
  rule: ScrubRule;
  start: number;
  end: number;
}

/** Returns the secret of a known shape that begins with the word at an index; null: there is none. */
export function findShape(text: string, at: number): SecretSpan | null {
  const first = text.charCodeAt(at);
  const second = text.charCodeAt(at + 1);
  if (!(first < 128 && second < 128)) return null;
  const shapes = BY_PAIR[pairOf(first, second)];
  if (shapes === undefined) return null;
  for (const { rule, prefix, pattern, isSecret } of shapes) {
    if (!text.startsWith(prefix, at)) continue;
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match) continue;
    const [whole, secret = whole] = match;
    const end = at + whole.length;
    if (!isSecret || isSecret(secret)) return { rule, start: end - secret.length, end };
  }
  return null;
}

/** True if a value is no word of a sentence: it has a digit or a sign that words do not have, or is longer than words are. */
export function isIrregular(value: string): boolean {
  return value.length >= 6 && (value.length >= 24 || /[\d=+!@#$^&*~]/.test(value));
}

/** True if a text is the base64 of printable characters with a colon between them. */
function isUserAndPassword(text: string): boolean {
  const decoded = Buffer.from(text, 'base64').toString('latin1');
  return decoded.includes(':') && !/[^\x20-\x7e\xa0-\xff]/.test(decoded);
}
