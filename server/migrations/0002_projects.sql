-- What events are sent to: projects, and the keys that open them to applications.

CREATE TYPE environment AS ENUM ('production', 'staging', 'development');

-- A deleted project keeps its row, with deleted_at set, until its events have been removed in the background.
-- Whoever writes something that belongs to a project holds FOR KEY SHARE on this row; deleting takes FOR UPDATE.
CREATE TABLE projects (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations,
  name text NOT NULL,
  environment environment NOT NULL,
  created_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3)
);
CREATE INDEX projects_organization ON projects (organization_id, id);
CREATE INDEX projects_deleted ON projects (id) WHERE deleted_at IS NOT NULL;

-- The key itself is never stored, only its SHA-256. Revoking deletes the row.
CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects,
  name text NOT NULL,
  prefix text NOT NULL,
  hash bytea NOT NULL UNIQUE,
  created_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3)
);
CREATE INDEX api_keys_project ON api_keys (project_id, id);
