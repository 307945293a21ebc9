-- min_program: 7
-- Silences during which detection learns nothing.

ALTER TABLE silences ADD COLUMN learn boolean NOT NULL DEFAULT true;
-- Asked by each round of the detection, and almost always empty.
CREATE INDEX silences_unlearned ON silences (least(until, ended_at)) WHERE NOT learn;
