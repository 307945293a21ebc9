-- min_program: 7
-- Personal access tokens: they open the management API to the programs of a user. As of a key, only the SHA-256 is stored.

-- What tokens refer to; it takes the place of the index on the same columns.
ALTER TABLE members ADD CONSTRAINT members_of_organization UNIQUE (organization_id, user_id);
DROP INDEX members_organization;

CREATE TABLE access_tokens (
  id uuid PRIMARY KEY,
  organization_id uuid,
  user_id uuid,
  name text NOT NULL,
  prefix text NOT NULL,
  hash bytea NOT NULL UNIQUE,
  scopes text[] NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  -- A user who leaves the organization loses the token for good, also when the user comes back. In the schema, so
  -- that it holds for every program that moves members, older ones included.
  CONSTRAINT access_tokens_member FOREIGN KEY (organization_id, user_id)
    REFERENCES members (organization_id, user_id) ON UPDATE SET NULL ON DELETE CASCADE
);
CREATE INDEX access_tokens_of_member ON access_tokens (organization_id, user_id, id);
CREATE INDEX access_tokens_expiry ON access_tokens (expires_at);
