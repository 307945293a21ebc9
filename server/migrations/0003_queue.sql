-- What was acknowledged and is not stored yet, and the keys by which a repeat is recognised.

-- One row a commit of the intake: the events as one JSON array, and for each project how many were accepted
-- and how many of those were repeats, which the ledger adds when the row is processed.
CREATE TABLE queue (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  accepted_at timestamptz(3) NOT NULL DEFAULT now(),
  bytes integer NOT NULL,
  deltas jsonb NOT NULL,
  events text NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
-- A row lives for milliseconds: compressing it would cost more than it saves.
ALTER TABLE queue ALTER COLUMN events SET STORAGE EXTERNAL;

-- The first request with an idempotency key (or a payment's id) wins; later ones get its answer.
CREATE TABLE claims (
  project_id uuid NOT NULL,
  key text NOT NULL,
  job_id uuid NOT NULL,
  -- The whole answer, where it holds more than one job (bulk).
  answer jsonb,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, key)
);
CREATE INDEX claims_age ON claims (created_at);

-- What PostgreSQL refused to store, with the reason. The event stays as the text that was accepted.
CREATE TABLE dead_letters (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  event text NOT NULL,
  sql_state text NOT NULL,
  reason text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX dead_letters_project ON dead_letters (project_id, id);

-- accepted = stored + queued + duplicate + dead + dropped, always; queued is what still stands in the queue.
-- Without a foreign key: what was counted stays counted after its project is gone.
CREATE TABLE ledgers (
  project_id uuid PRIMARY KEY,
  accepted bigint NOT NULL DEFAULT 0,
  stored bigint NOT NULL DEFAULT 0,
  duplicate bigint NOT NULL DEFAULT 0,
  dead bigint NOT NULL DEFAULT 0,
  dropped bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
