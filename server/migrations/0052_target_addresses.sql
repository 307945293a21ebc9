-- min_program: 7
-- Who has confirmed that an organization may send mail to an address: without it, targets were a way to mail anybody. Addresses
-- of targets that exist are sent messages for two more weeks, in which an OWNER has them confirmed.

CREATE TABLE mail_recipients (
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  -- Normalized, as addresses of users are.
  address text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- When it was last asked by mail; null: not yet.
  asked_at timestamptz(3),
  -- SHA-256 of the token in the link of that mail, which is valid until `expires_at`.
  hash bytea UNIQUE,
  expires_at timestamptz(3),
  confirmed_at timestamptz(3),
  -- Until when it is sent messages without a confirmation; null: not at all.
  grace_until timestamptz(3),
  PRIMARY KEY (organization_id, address)
);

-- Normalized address that the target sends mail to; null: it sends none.
ALTER TABLE notification_targets ADD COLUMN recipient text;
UPDATE notification_targets SET recipient = lower(config ->> 'to') WHERE kind = 'email';
INSERT INTO mail_recipients (organization_id, address, created_at, grace_until)
  SELECT DISTINCT organization_id, recipient, now(), now() + interval '14 days'
  FROM notification_targets WHERE recipient IS NOT NULL;

-- When the user set a password by a link that was mailed to the address: nothing else shows that it is the user's.
ALTER TABLE users ADD COLUMN email_verified_at timestamptz(3);

-- Whole addresses of webhooks, which often hold a secret, leave the audit log: their hosts stay. The worker encrypts those of targets.
UPDATE audit_log SET
  before = CASE WHEN before -> 'config' ? 'url' THEN jsonb_set(before, '{config}', (before -> 'config') - 'url'
      || jsonb_build_object('host', substring(before #>> '{config,url}' FROM '^[^:]*://([^/?#]*)'))) ELSE before END,
  after = CASE WHEN after -> 'config' ? 'url' THEN jsonb_set(after, '{config}', (after -> 'config') - 'url'
      || jsonb_build_object('host', substring(after #>> '{config,url}' FROM '^[^:]*://([^/?#]*)'))) ELSE after END
  WHERE action LIKE 'notification\_target.%' AND (before -> 'config' ? 'url' OR after -> 'config' ? 'url');
