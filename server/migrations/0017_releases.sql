-- min_program: 7
-- Releases of a project and their deploys; the version of the algorithm behind an event's fingerprint.

-- One row for each version that events or deploys of a project have named, kept by the statement that stores them.
CREATE TABLE releases (
  project_id uuid NOT NULL,
  version text NOT NULL,
  -- The order of appearance within the project, with gaps.
  number bigint GENERATED ALWAYS AS IDENTITY,
  -- By the time of capture.
  first_seen timestamptz(3) NOT NULL,
  last_seen timestamptz(3) NOT NULL,
  -- The first deploy that was reported; null: none was.
  deployed_at timestamptz(3),
  events bigint NOT NULL DEFAULT 0,
  -- Of severity error or worse.
  errors bigint NOT NULL DEFAULT 0,
  new_groups bigint NOT NULL DEFAULT 0,
  -- How many users its events name, counted up to 2; the hash tells the first from a second.
  users smallint NOT NULL DEFAULT 0,
  first_user integer,
  PRIMARY KEY (project_id, version)
) WITH (fillfactor = 70);

CREATE TABLE deploys (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  release text NOT NULL,
  environment text NOT NULL,
  deployed_at timestamptz(3) NOT NULL,
  -- Who reported it; null: an application, by an API key.
  user_id uuid,
  created_at timestamptz(3) NOT NULL,
  -- A repeat is the same deploy.
  UNIQUE (project_id, release, environment)
);
CREATE INDEX deploys_project ON deploys (project_id, deployed_at, id);

-- Null: version 1. Adding it rewrites no partition.
ALTER TABLE events ADD COLUMN fingerprint_version smallint;

-- Until when ingestion also computes fingerprints of version 1, by which known errors stay known. Without events of
-- version 1 there is nothing to know.
INSERT INTO settings (name, value)
SELECT 'fingerprint_v1_until', to_char((now() + interval '30 days') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
WHERE EXISTS (SELECT FROM events) OR EXISTS (SELECT FROM queue)
ON CONFLICT DO NOTHING;
