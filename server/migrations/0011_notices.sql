-- min_program: 7
-- What users are told of changes that others made to their membership, until they dismiss it.

CREATE TABLE notices (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  kind text NOT NULL,
  -- As they were called at that moment: both may be gone later.
  organization_id uuid NOT NULL,
  organization_name text NOT NULL,
  actor_id uuid NOT NULL,
  actor_name text NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX notices_user ON notices (user_id, id);
