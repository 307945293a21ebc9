-- The event store: events by week, and their counts by minute.

CREATE TYPE severity AS ENUM ('info', 'warn', 'error', 'critical');

-- The first 48 bits of an id are the milliseconds of capturedAt (UUIDv7): the order of ids is the order of
-- time, so one key serves lookups, pages, time ranges and the partitions, which are made a week each.
CREATE TABLE events (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  project_id uuid NOT NULL,
  received_at timestamptz(3) NOT NULL,
  severity severity NOT NULL,
  type text NOT NULL,
  source text,
  message text NOT NULL,
  correlation_id text NOT NULL,
  fingerprint text NOT NULL,
  release text,
  correlation jsonb NOT NULL,
  payload jsonb NOT NULL
) PARTITION BY RANGE (id);
CREATE INDEX events_organization ON events (organization_id, id);
CREATE INDEX events_project ON events (organization_id, project_id, id);
CREATE INDEX events_correlation ON events (organization_id, correlation_id, id);
CREATE INDEX events_fingerprint ON events (organization_id, fingerprint, id);

-- Counts by the minute of capturedAt, for charts.
CREATE TABLE event_counts (
  organization_id uuid NOT NULL,
  project_id uuid NOT NULL,
  minute timestamptz(0) NOT NULL,
  severity severity NOT NULL,
  type text NOT NULL,
  source text,
  count bigint NOT NULL,
  UNIQUE NULLS NOT DISTINCT (organization_id, project_id, minute, severity, type, source)
) WITH (fillfactor = 70);
CREATE INDEX event_counts_age ON event_counts (minute);

-- What somebody watches live: which organizations (renewed by their watchers), and the samples for them.
-- Losing these in a crash loses nothing: watchers read the list again.
CREATE UNLOGGED TABLE live_tail_watchers (
  organization_id uuid NOT NULL,
  watcher_id uuid NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, watcher_id)
);
CREATE UNLOGGED TABLE live_tail (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  events jsonb NOT NULL,
  omitted integer NOT NULL
);
