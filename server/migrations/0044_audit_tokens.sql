-- min_program: 7
-- The access token that made a change, with its name at that time; null: its user did, with a login.

ALTER TABLE audit_log ADD COLUMN token_id uuid, ADD COLUMN token_name text;
