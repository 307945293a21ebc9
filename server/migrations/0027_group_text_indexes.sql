-- min_program: 7
-- With the id of the group, so that some thousand groups of a type or source are found in the index alone.

DROP INDEX group_texts_type;
DROP INDEX group_texts_source;
CREATE INDEX group_texts_by_type ON group_texts (project_id, type, group_id);
CREATE INDEX group_texts_by_source ON group_texts (project_id, source, group_id);
