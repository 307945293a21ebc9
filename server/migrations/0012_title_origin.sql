-- min_program: 7
-- Whether the service worded an incident's title or a person chose it.

-- Null where an older program created the incident: then its origin says it.
ALTER TABLE incidents ADD COLUMN title_origin text CHECK (title_origin IN ('generated', 'person'));

-- A risk incident's title is a person's once a person has changed it.
UPDATE incidents SET title_origin = CASE
  WHEN origin = 'risk' AND NOT EXISTS (
    SELECT FROM incident_timeline AS entry
    WHERE entry.incident_id = incidents.id AND entry.user_id IS NOT NULL AND entry.after ? 'title'
  ) THEN 'generated' ELSE 'person' END;
