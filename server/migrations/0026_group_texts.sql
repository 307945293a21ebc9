-- min_program: 7
-- What groups are found by that never changes of them, apart from their counts: an index on it costs nothing when events
-- come, while every index of `groups` is written with every batch.

CREATE TABLE group_texts (
  group_id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  type text NOT NULL,
  source text,
  -- The beginning of the message, culprit, and functions and files of the frames.
  words text NOT NULL
);
INSERT INTO group_texts (group_id, project_id, type, source, words)
SELECT id, project_id, type, source, concat_ws(' ', title, culprit) FROM groups;
CREATE INDEX group_texts_type ON group_texts (project_id, type);
CREATE INDEX group_texts_source ON group_texts (project_id, source);

-- The extension comes with PostgreSQL, but a managed one may refuse it. Then words are looked for in a bounded number of
-- groups. Whoever installs it later creates the index as well (docs/operations.md).
DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX group_texts_words ON group_texts USING gin (words gin_trgm_ops) WITH (gin_pending_list_limit = 512);
EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_file OR undefined_object THEN
  RAISE NOTICE 'Without the extension pg_trgm words are not looked for in all groups: %', SQLERRM;
END $$;

-- Triggers: a program of the version before begins groups as well during a rolling update.
CREATE FUNCTION insert_group_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO group_texts (group_id, project_id, type, source, words)
  VALUES (NEW.id, NEW.project_id, NEW.type, NEW.source, concat_ws(' ', NEW.title, NEW.culprit)) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER groups_insert_text AFTER INSERT ON groups FOR EACH ROW EXECUTE FUNCTION insert_group_text();

CREATE FUNCTION delete_group_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM group_texts WHERE group_id = OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER groups_delete_text AFTER DELETE ON groups FOR EACH ROW EXECUTE FUNCTION delete_group_text();

-- Few have regressed, and few are critical: among a million others they would be found by reading all of these.
CREATE INDEX groups_regressed ON groups (project_id) WHERE regressed_at IS NOT NULL;
