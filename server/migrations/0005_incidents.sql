-- Incidents, what happened to them, and the frames that tell dashboards about it.

CREATE TYPE incident_status AS ENUM ('open', 'investigating', 'resolved');
CREATE TYPE incident_origin AS ENUM ('manual', 'risk');

CREATE TABLE incidents (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  project_id uuid NOT NULL,
  title text NOT NULL,
  severity severity NOT NULL,
  status incident_status NOT NULL,
  origin incident_origin NOT NULL,
  event_count bigint NOT NULL DEFAULT 0,
  evidence jsonb,
  -- The series that a risk incident is about; null for manual ones.
  type text,
  source text,
  previous_incident_id uuid,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  resolved_at timestamptz(3)
);
CREATE INDEX incidents_organization ON incidents (organization_id, id);
CREATE INDEX incidents_project ON incidents (project_id, id);
-- At most one unresolved risk incident per project, type and source, whoever tries to open a second.
CREATE UNIQUE INDEX incidents_unresolved ON incidents (project_id, type, source) NULLS NOT DISTINCT
  WHERE origin = 'risk' AND status <> 'resolved';

CREATE TABLE incident_timeline (
  id uuid PRIMARY KEY,
  incident_id uuid NOT NULL REFERENCES incidents ON DELETE CASCADE,
  -- Null: the service itself.
  user_id uuid,
  before jsonb,
  after jsonb,
  note text,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX incident_timeline_incident ON incident_timeline (incident_id, id);

-- One row a frame, in the order of commits (the writer holds an advisory lock from here to its commit), so
-- that whoever remembers the last one he sent misses none. Kept for an hour.
CREATE TABLE incident_frames (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id uuid NOT NULL,
  project_id uuid NOT NULL,
  event text NOT NULL,
  data jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX incident_frames_age ON incident_frames (created_at);
