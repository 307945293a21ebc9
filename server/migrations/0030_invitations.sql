-- min_program: 7
-- Invitations into an organization, each used once by the user who has its link. The link's token is stored as its hash only.

CREATE TABLE invitations (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  hash bytea NOT NULL UNIQUE,
  role member_role NOT NULL,
  -- Normalized; null: for any user.
  email text,
  created_by uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  accepted_at timestamptz(3)
);
CREATE INDEX invitations_organization ON invitations (organization_id, id);
CREATE INDEX invitations_creator ON invitations (created_by);
CREATE INDEX invitations_expiry ON invitations (expires_at);
