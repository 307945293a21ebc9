-- min_program: 7
-- Declared schedules: jobs that check in, and what their runs came to.

-- Not used before the next migration: a value that was added cannot be used in the same transaction.
ALTER TYPE incident_origin ADD VALUE IF NOT EXISTS 'schedule';

-- The schedule that an incident is about, which may be deleted by now.
ALTER TABLE incidents ADD COLUMN schedule_id uuid;
CREATE INDEX incidents_schedule ON incidents (schedule_id, id) WHERE schedule_id IS NOT NULL;

CREATE TABLE schedules (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  slug text NOT NULL,
  name text NOT NULL,
  cron text,
  interval_seconds integer,
  time_zone text NOT NULL,
  grace_seconds integer NOT NULL,
  max_runtime_seconds integer,
  failure_after integer NOT NULL,
  recover_after integer NOT NULL,
  severity severity NOT NULL,
  -- Events that the job sends as well: their learned heartbeat opens no incident.
  type text,
  source text,
  paused_at timestamptz(3),
  -- Of the token in the ping address, which alone allows to check in.
  ping_hash bytea NOT NULL UNIQUE,
  due_at timestamptz(3) NOT NULL,
  started_at timestamptz(3),
  last_check_in_at timestamptz(3),
  last_status text,
  last_duration_ms bigint,
  failures integer NOT NULL DEFAULT 0,
  successes integer NOT NULL DEFAULT 0,
  -- Of the failure that goes on.
  incident_id uuid,
  -- When the worker looks at it; null: it is paused.
  review_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  CHECK ((cron IS NULL) <> (interval_seconds IS NULL)),
  UNIQUE (project_id, slug)
);
CREATE INDEX schedules_project ON schedules (project_id, id);
CREATE INDEX schedules_review ON schedules (review_at) WHERE review_at IS NOT NULL;

-- The newest of each schedule.
CREATE TABLE check_ins (
  id uuid PRIMARY KEY,
  schedule_id uuid NOT NULL REFERENCES schedules ON DELETE CASCADE,
  project_id uuid NOT NULL,
  status text NOT NULL,
  at timestamptz(3) NOT NULL,
  due_at timestamptz(3),
  duration_ms bigint
);
CREATE INDEX check_ins_schedule ON check_ins (schedule_id, id);
CREATE INDEX check_ins_project ON check_ins (project_id);
