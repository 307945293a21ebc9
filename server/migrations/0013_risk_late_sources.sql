-- min_program: 7
-- Sources whose events arrive late by a nearly constant time, as a project's page names them.

CREATE TABLE risk_late_sources (
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  -- Null: events without a source.
  source text,
  behind_ms float8 NOT NULL,
  since timestamptz(3) NOT NULL
);
CREATE INDEX risk_late_sources_project ON risk_late_sources (project_id);
