-- The statistical detector: what a project asks of it, its state, the rounds since that was saved, and what it decided.

-- A project without a row has the defaults.
CREATE TABLE risk_settings (
  project_id uuid PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
  -- False incidents a week that are acceptable.
  budget float8 NOT NULL,
  rules jsonb NOT NULL,
  new_kinds boolean NOT NULL,
  updated_at timestamptz(3) NOT NULL
);

-- The state of the first rule means nothing to the detector: every project begins anew.
DROP TABLE risk_state;
CREATE TABLE risk_state (
  project_id uuid PRIMARY KEY,
  state bytea NOT NULL
);
-- Numbers that hardly compress, written every few minutes.
ALTER TABLE risk_state ALTER COLUMN state SET STORAGE EXTERNAL;

-- Everything that went into the detectors since their state was saved, in order: what they are now follows from both.
CREATE TABLE risk_rounds (
  id bigint PRIMARY KEY,
  round text NOT NULL
);

-- One row: which round was the last, and up to when time has passed for the detectors.
CREATE TABLE risk_progress (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  last_round bigint NOT NULL,
  time_ms bigint NOT NULL,
  shift_ms bigint NOT NULL
);

-- When which process took events in: a minute in which none did says nothing about its senders.
CREATE TABLE intake_presence (
  process_id uuid NOT NULL,
  since timestamptz(3) NOT NULL,
  until timestamptz(3) NOT NULL,
  -- By the database's clock, where the other two are by the clock that stamps the events.
  told_at timestamptz(3) NOT NULL,
  PRIMARY KEY (process_id, since)
) WITH (fillfactor = 50);

ALTER TABLE risk_inbox
  -- Kinds of errors in the batch, a bounded number of each project.
  ADD COLUMN kinds jsonb NOT NULL DEFAULT '[]';

-- What was decided, with what was suppressed; kept for a week.
CREATE TABLE risk_decisions (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  project_id uuid NOT NULL,
  incident_id uuid,
  outcome text NOT NULL,
  reason text,
  series jsonb,
  sentence text NOT NULL,
  observed float8,
  expected float8,
  window_seconds float8,
  decided_at timestamptz(3) NOT NULL
);
CREATE INDEX risk_decisions_project ON risk_decisions (organization_id, project_id, id);

-- The detector's own number of an incident, which counts up within the project: no incident is opened twice.
ALTER TABLE incidents ADD COLUMN risk_number integer;
DROP INDEX incidents_unresolved;
CREATE UNIQUE INDEX incidents_risk_number ON incidents (project_id, risk_number);

UPDATE incidents SET evidence = evidence || jsonb_build_object(
  'rule', CASE evidence ->> 'rule' WHEN 'critical' THEN 'at_least' ELSE 'rise' END,
  'series', evidence -> 'series' || jsonb_build_object('severity', NULL, 'fingerprint', NULL,
    'kind', CASE evidence ->> 'rule' WHEN 'spread' THEN 'errors' ELSE 'events' END),
  'chanceAWeek', NULL, 'alsoSeries', '[]'::jsonb, 'sampleEventIds', '[]'::jsonb, 'correlationIds', '[]'::jsonb)
  WHERE evidence IS NOT NULL;

-- What the first rule opened, nobody would ever resolve: a new detector does not know of it.
WITH resolved AS (
  UPDATE incidents SET status = 'resolved', resolved_at = now(), updated_at = now()
  WHERE origin = 'risk' AND status = 'open' RETURNING id
)
INSERT INTO incident_timeline (id, incident_id, before, after, note, created_at)
SELECT
  -- Entries are ordered by the time in their ids.
  (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0') || '7' || right(md5(id::text), 19))::uuid,
  id, '{"status":"open"}', '{"status":"resolved"}', 'Detection begins anew. Resolved by itself.', now()
FROM resolved;
