-- min_program: 7
-- Silences: for how long nothing is sent about what, and what each of them has covered.

CREATE TABLE silences (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  -- Null: all projects. The following fields: null is any value.
  project_id uuid,
  type text,
  source text,
  severity severity,
  group_id uuid,
  correlation_key text,
  correlation_value text,
  reason text,
  -- The user may be deleted by now.
  created_by uuid NOT NULL,
  starts_at timestamptz(3) NOT NULL,
  until timestamptz(3) NOT NULL,
  -- When a person has ended it before its time.
  ended_at timestamptz(3),
  ended_by uuid,
  -- When the worker has sent what was still open at its end; from then on it covers nothing.
  settled_at timestamptz(3),
  CHECK ((correlation_key IS NULL) = (correlation_value IS NULL))
);
-- Asked for each change that is notified: an organization without silences costs one look into this index.
CREATE INDEX silences_unsettled ON silences (organization_id, until) WHERE settled_at IS NULL;
CREATE INDEX silences_ended ON silences (least(until, ended_at)) WHERE settled_at IS NULL;
CREATE INDEX silences_organization ON silences (organization_id, id);
CREATE INDEX silences_project ON silences (project_id);
CREATE INDEX silences_age ON silences (settled_at);

-- The incidents and groups that a silence has covered, each once.
CREATE TABLE silence_matches (
  silence_id uuid NOT NULL REFERENCES silences ON DELETE CASCADE,
  subject_id uuid NOT NULL,
  project_id uuid NOT NULL,
  matched_at timestamptz(3) NOT NULL,
  PRIMARY KEY (silence_id, subject_id)
);
CREATE INDEX silence_matches_project ON silence_matches (project_id);
