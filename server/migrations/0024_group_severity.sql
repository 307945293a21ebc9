-- min_program: 7
-- Lists of groups begin with warnings and worse. Among a million groups of severity info, which come all the time, these
-- would be found by reading all of them.
CREATE INDEX groups_last_seen_warn ON groups (project_id, state, last_seen, id)
  WHERE merged_into IS NULL AND severity >= 'warn';
