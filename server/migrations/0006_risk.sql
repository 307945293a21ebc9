-- The stream from processing to the risk loop, its state, and the lease that makes one worker its leader.

-- One row for each processed batch: counts by series in 5-second buckets of receipt time.
CREATE TABLE risk_inbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  deltas jsonb NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

CREATE TABLE risk_state (
  project_id uuid PRIMARY KEY,
  state jsonb NOT NULL,
  updated_at timestamptz(3) NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE leases (
  name text PRIMARY KEY,
  holder_id uuid NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
