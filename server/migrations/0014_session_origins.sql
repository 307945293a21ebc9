-- min_program: 7
-- Where each session was begun, for its user to recognise it in the list of sessions.

-- Null in what was begun by an older program.
ALTER TABLE sessions ADD COLUMN address text, ADD COLUMN user_agent text;
