-- min_program: 7
-- The risk loop bounds what it takes at once, and sets a project aside that it cannot judge.

-- Counts and kinds in the row; null in what an older program wrote.
ALTER TABLE risk_inbox ADD COLUMN entries integer;

-- Projects whose detector failed. Until `retry_at` their events are stored and not judged.
CREATE TABLE risk_set_aside (
  project_id uuid PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
  -- In a row, with less than a day between two.
  failures integer NOT NULL,
  failed_at timestamptz(3) NOT NULL,
  retry_at timestamptz(3) NOT NULL
);
