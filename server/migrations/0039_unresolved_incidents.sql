-- min_program: 7
-- Each overview asks for the open incidents and for how many there are of each status. Unresolved ones are few among all that
-- ever were, so an index finds them; the resolved ones are counted when that changes.

CREATE INDEX incidents_by_status ON incidents (organization_id, status, id) WHERE status <> 'resolved';

CREATE TABLE resolved_incidents (
  project_id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  count bigint NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX resolved_incidents_organization ON resolved_incidents (organization_id);

-- Triggers: a program of the version before changes incidents as well during a rolling update.
CREATE FUNCTION count_resolved_incident() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO resolved_incidents AS r (project_id, organization_id, count)
  VALUES (NEW.project_id, NEW.organization_id, CASE WHEN NEW.status = 'resolved' THEN 1 ELSE -1 END)
  ON CONFLICT (project_id) DO UPDATE SET count = r.count + excluded.count;
  RETURN NULL;
END $$;
CREATE TRIGGER incidents_count_resolved AFTER UPDATE ON incidents FOR EACH ROW
  WHEN ((OLD.status = 'resolved') <> (NEW.status = 'resolved')) EXECUTE FUNCTION count_resolved_incident();

-- A restore inserts, and the purge of a project deletes, thousands at a time.
CREATE FUNCTION count_inserted_incidents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO resolved_incidents AS r (project_id, organization_id, count)
  SELECT project_id, organization_id, count(*) FROM changed WHERE status = 'resolved' GROUP BY 1, 2 ORDER BY 1
  ON CONFLICT (project_id) DO UPDATE SET count = r.count + excluded.count;
  RETURN NULL;
END $$;
CREATE TRIGGER incidents_count_inserted AFTER INSERT ON incidents REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_inserted_incidents();

CREATE FUNCTION count_deleted_incidents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE resolved_incidents AS r SET count = r.count - deleted.count
  FROM (SELECT project_id, count(*) FROM changed WHERE status = 'resolved' GROUP BY 1) AS deleted
  WHERE r.project_id = deleted.project_id;
  RETURN NULL;
END $$;
CREATE TRIGGER incidents_count_deleted AFTER DELETE ON incidents REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_incidents();

INSERT INTO resolved_incidents (project_id, organization_id, count)
SELECT project_id, organization_id, count(*) FROM incidents WHERE status = 'resolved' GROUP BY 1, 2;
