-- min_program: 7
-- The risk loop reads no further ahead than one round goes, after a long time without a worker.

-- The oldest bucket in the row, in milliseconds; null in what an older program wrote.
ALTER TABLE risk_inbox ADD COLUMN from_ms bigint;
