import { expect, it } from 'vitest';
import { SecretNames } from './secret-names.ts';

const names = new SecretNames();

const words = (text: string) => text.trim().split(/\s+/);

it.each(
  words(`password userPassword PASSWORD DB_PASSWORD mysqlpassword new-password password2 passwd PGPASSWORD
    passwordConfirmation password_hash secret clientSecret secret_key_base pwd token auth_token accessToken X-Auth-Token
    csrftoken XSRF-TOKEN token_value oauth2Token api_key X-Api-Key APIKey apikey AccountKey SharedAccessKey private_key
    AWS_SECRET_ACCESS_KEY Authorization proxy-authorization Cookie set-cookie cookies session_id sessionId PHPSESSID
    apiKeys API_KEYS accessTokens refresh_tokens privateKeys apikeys sessionIds cardNumbers connect.sid DB_PASS smtpPass userpass credentials passphrase jwt auth otp cvv2 cvc card_number cardNumber`),
)('finds the name of a secret: %s', (name) => {
  expect(names.kindOf(name)).toBe('secret');
});

it.each(
  words(`author authority authenticated secretary tokenizer pass first_pass render_pass tests_pass tokens_used max_tokens tokens token_type token_count
    tokenExpiresAt password_changed_at passwordRequired cookie_consent cookiesEnabled primary_key idempotency_key
    cache_key keyboard monkey cvc_check PWD secret_name authorization_url compass passenger bypass public_key
    token_bucket keys prompt_tokens completionTokens maxTokens sort_keys keystrokes`),
)('spares a name that only resembles that of a secret: %s', (name) => {
  expect(names.kindOf(name)).not.toBe('secret');
});

it('tells the names of ids and of cards from others', () => {
  for (const name of [
    'id',
    'order_id',
    'orderId',
    'userid',
    'trackingNumber',
    'ref',
    'phone',
    'created_at',
    'token_id',
  ])
    expect(names.kindOf(name), name).toBe('reference');
  for (const name of ['card', 'pan', 'creditcard', 'payment-card'])
    expect(names.kindOf(name), name).toBe('card');
});

it('takes no markup, code or encoded text for a name', () => {
  for (const text of ['<a href="?token">', '../../etc/passwd%00', 'a = password;', '{"token"}'])
    expect(names.kindOf(text), text).toBe('plain');
});

it('decides by the end of a name that is longer than names are', () => {
  expect(names.kindOf(`${'a_'.repeat(10_000)}password`)).toBe('secret');
  expect(names.kindOf(`password_${'a_'.repeat(10_000)}`)).toBe('plain');
});
