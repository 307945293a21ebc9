-- min_program: 7
-- The second factor of logins: one-time codes of an app, and the recovery codes that replace them.

CREATE TABLE totp_factors (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  -- Encrypted, for this user alone.
  secret text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- Null: no code of it was entered yet, so no login asks for one.
  activated_at timestamptz(3),
  -- The 30 s since 1970 of the last code that was used: this one and earlier ones are not taken again.
  last_step bigint NOT NULL DEFAULT 0
);

CREATE TABLE totp_recovery_codes (
  user_id uuid NOT NULL REFERENCES totp_factors ON DELETE CASCADE,
  -- SHA-256 of a code that was not used yet.
  hash bytea NOT NULL,
  PRIMARY KEY (user_id, hash)
);
