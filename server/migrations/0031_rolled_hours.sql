-- min_program: 7
-- Copies of counts by the hour, for reads of days and of many groups. Whole hours that are over are copied by maintenance;
-- what arrives for one of them later marks it until it is copied again, so copies and marks together are exact at any time.

-- One row: every hour before `until` is copied, or marked as stale; those of groups from `groups_since` on. Null: none is.
CREATE TABLE rolled_hours (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  until timestamptz(0),
  groups_since timestamptz(0)
);
INSERT INTO rolled_hours DEFAULT VALUES;

CREATE TABLE stale_hours (
  organization_id uuid NOT NULL,
  project_id uuid NOT NULL,
  hour timestamptz(0) NOT NULL,
  PRIMARY KEY (organization_id, project_id, hour)
);

-- The counts of `event_counts`, of each quarter of an hour.
CREATE TABLE event_hours (
  organization_id uuid NOT NULL,
  project_id uuid NOT NULL,
  hour timestamptz(0) NOT NULL,
  severity severity NOT NULL,
  type text NOT NULL,
  source text,
  quarter_1 bigint NOT NULL,
  quarter_2 bigint NOT NULL,
  quarter_3 bigint NOT NULL,
  quarter_4 bigint NOT NULL,
  UNIQUE NULLS NOT DISTINCT (organization_id, project_id, hour, severity, type, source)
);
CREATE INDEX event_hours_age ON event_hours (hour);

-- The counts of groups, of hours whose minutes are kept.
CREATE TABLE group_recent_hours (
  group_id uuid NOT NULL,
  project_id uuid NOT NULL,
  hour timestamptz(0) NOT NULL,
  info bigint NOT NULL,
  warn bigint NOT NULL,
  error bigint NOT NULL,
  critical bigint NOT NULL,
  PRIMARY KEY (group_id, hour)
);
-- The largest counts of an hour are read without the many small ones.
CREATE INDEX group_recent_hours_total ON group_recent_hours (project_id, hour, (info + warn + error + critical));
DROP INDEX group_hours_project;
CREATE INDEX group_hours_total ON group_hours (project_id, hour, (info + warn + error + critical));

-- A trigger: a program of the version before stores events as well during a rolling update.
CREATE FUNCTION mark_stale_hour() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  rolled_until timestamptz;
  hour_of_new timestamptz := date_trunc('hour', NEW.minute, 'UTC');
BEGIN
  -- Locked until the transaction ends: no hour is copied meanwhile without what the transaction counts.
  SELECT until INTO rolled_until FROM rolled_hours FOR SHARE;
  IF rolled_until IS NULL OR NEW.minute >= rolled_until THEN RETURN NULL; END IF;
  -- Likewise: the hour is not copied again, and the mark not removed, before the transaction ends.
  PERFORM FROM stale_hours
  WHERE organization_id = NEW.organization_id AND project_id = NEW.project_id AND hour = hour_of_new FOR KEY SHARE;
  IF NOT FOUND THEN
    INSERT INTO stale_hours VALUES (NEW.organization_id, NEW.project_id, hour_of_new)
    ON CONFLICT (organization_id, project_id, hour) DO UPDATE SET hour = excluded.hour;
  END IF;
  RETURN NULL;
END $$;
-- Hours are copied half an hour after their end. What is stored sooner than ten minutes after its capture, nearly all
-- events, needs no mark: no transaction takes the other twenty minutes.
CREATE TRIGGER event_counts_mark_stale AFTER INSERT OR UPDATE ON event_counts FOR EACH ROW
  WHEN (NEW.minute < now() - interval '10 minutes') EXECUTE FUNCTION mark_stale_hour();
