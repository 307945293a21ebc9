-- min_program: 7
-- Who investigates an incident, beside its status in lists and frames.

-- The user who moved it to investigating; null where none did, and in what an older program wrote.
ALTER TABLE incidents ADD COLUMN investigator_id uuid;

UPDATE incidents SET investigator_id = (
  SELECT entry.user_id FROM incident_timeline entry
    WHERE entry.incident_id = incidents.id AND entry.after ->> 'status' = 'investigating'
    ORDER BY entry.id DESC LIMIT 1)
  WHERE status = 'investigating';
