-- min_program: 7
-- Detectors beyond the memory that a process has for them are put away; what is needed to come back to them.

-- All null in what an older program saved. Times are those of the detectors, as in risk_progress.
ALTER TABLE risk_state
  -- The last round that is part of the state.
  ADD COLUMN round bigint,
  -- What the detector takes in memory, counted in series.
  ADD COLUMN series integer,
  -- Up to when time has passed for it, and when events came last.
  ADD COLUMN time_ms bigint,
  ADD COLUMN active_ms bigint,
  -- It is put away until events come, or until then; null: the process that leads holds it in memory.
  ADD COLUMN visit_ms bigint;
CREATE INDEX risk_state_visit ON risk_state (visit_ms) WHERE visit_ms IS NOT NULL;

-- Steps that are over and not known, [from, to) in milliseconds: time passes later for what is put away.
ALTER TABLE risk_progress ADD COLUMN gaps jsonb;
