-- min_program: 7
-- Links by which users set a new password. A link's token is stored as its hash only.

CREATE TABLE recovery_links (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  hash bytea NOT NULL UNIQUE,
  -- SHA-256 of the password's hash when the link was made: with any change of the password the link ends.
  of_password bytea NOT NULL,
  -- 'mail', 'owner' or 'operator'
  origin text NOT NULL,
  -- The OWNER who made it; null for the other origins.
  created_by uuid REFERENCES users ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX recovery_links_user ON recovery_links (user_id, created_at);
CREATE INDEX recovery_links_creator ON recovery_links (created_by);
CREATE INDEX recovery_links_creation ON recovery_links (created_at);
