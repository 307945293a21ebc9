-- Who may log in: users, the organization that each of them belongs to, sessions, and the record of every change.

CREATE TYPE plan AS ENUM ('free', 'pro', 'enterprise');
CREATE TYPE member_role AS ENUM ('OWNER', 'MEMBER');

-- What the service itself has to remember across restarts and share between processes, such as the session secret.
CREATE TABLE settings (
  name text PRIMARY KEY,
  value text NOT NULL
);

CREATE TABLE users (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL UNIQUE,
  password_hash text NOT NULL,
  created_at timestamptz(3) NOT NULL
);

CREATE TABLE organizations (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  plan plan NOT NULL DEFAULT 'free',
  created_at timestamptz(3) NOT NULL
);

-- One row a user: nobody is in two organizations, and nobody in none.
CREATE TABLE members (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organizations,
  role member_role NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX members_organization ON members (organization_id, user_id);

CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);

-- Failed logins of the last minutes, by account ('account:…') and by address ('address:…').
CREATE TABLE login_failures (
  subject text NOT NULL,
  failed_at timestamptz(3) NOT NULL
);
CREATE INDEX login_failures_subject ON login_failures (subject, failed_at);

-- One row for each change through the management API, written in the transaction of the change.
CREATE TABLE audit_log (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  user_id uuid NOT NULL,
  action text NOT NULL,
  target_id text NOT NULL,
  before jsonb,
  after jsonb,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX audit_log_organization ON audit_log (organization_id, id);
