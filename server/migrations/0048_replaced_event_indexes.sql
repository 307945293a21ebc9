-- min_program: 7
-- The indexes that those of migration 47 replace. A program of the version before reads by fingerprint or correlation id
-- without them: more slowly, for as long as a rolling update takes.

DROP INDEX events_fingerprint;
DROP INDEX events_correlation;
DROP INDEX events_project;
