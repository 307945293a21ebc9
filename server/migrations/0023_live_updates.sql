-- min_program: 7
-- What changed of groups, releases and deploys, for the live viewers of this moment.

CREATE TABLE live_updates (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id uuid NOT NULL,
  change text NOT NULL CHECK (change IN (
    'group_created', 'group_changed', 'group_merged', 'group_separated', 'release_created', 'deploy_recorded')),
  -- The id of the group or deploy, the version of the release.
  subject text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX live_updates_age ON live_updates (created_at);

-- Triggers, since most statements that write a release or a deploy repeat one that is known: only an insert fires them,
-- so that the statement that stores events does nothing more for a known release.
CREATE FUNCTION announce_release() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO live_updates (project_id, change, subject) VALUES (NEW.project_id, 'release_created', NEW.version);
  PERFORM pg_notify('tocsin_updates', '');
  RETURN NULL;
END $$;
CREATE TRIGGER releases_announce AFTER INSERT ON releases FOR EACH ROW EXECUTE FUNCTION announce_release();

CREATE FUNCTION announce_deploy() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO live_updates (project_id, change, subject) VALUES (NEW.project_id, 'deploy_recorded', NEW.id::text);
  PERFORM pg_notify('tocsin_updates', '');
  RETURN NULL;
END $$;
CREATE TRIGGER deploys_announce AFTER INSERT ON deploys FOR EACH ROW EXECUTE FUNCTION announce_deploy();
