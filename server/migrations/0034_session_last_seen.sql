-- min_program: 7
-- When each session was last used, to some minutes.

-- Null in what was not used since an older program.
ALTER TABLE sessions ADD COLUMN last_seen_at timestamptz(3);
