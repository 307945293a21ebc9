-- min_program: 7
-- Groups: events of one kind as one problem, with a state, an assignee and a history.

CREATE TYPE group_state AS ENUM ('open', 'resolved', 'muted');

-- Kept in the transaction that stores the events. Times of events are those of their capture.
CREATE TABLE groups (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  project_id uuid NOT NULL,
  -- Within the project, with gaps. 0: the events of all kinds beyond the bound on new groups.
  number integer NOT NULL,
  -- Of its first event. The others that lead to it are in group_fingerprints.
  fingerprint text NOT NULL,
  title text NOT NULL,
  culprit text,
  type text NOT NULL,
  source text,
  -- The worst so far.
  severity severity NOT NULL,
  state group_state NOT NULL DEFAULT 'open',
  count bigint NOT NULL,
  -- Different users, exact up to 1,000; 1,001 stands for more.
  users integer NOT NULL DEFAULT 0,
  first_seen timestamptz(3) NOT NULL,
  last_seen timestamptz(3) NOT NULL,
  first_release text,
  last_release text,
  -- How it was resolved, when, and the release that a later event is compared with; null: not resolved.
  resolution text CHECK (resolution IN ('now', 'current', 'next')),
  resolved_at timestamptz(3),
  resolved_release text,
  -- Until when, up to which count, or up to how many in how many seconds it is muted; all null: for ever.
  mute_until timestamptz(3),
  mute_until_count bigint,
  mute_rate_count integer,
  mute_rate_seconds integer,
  regressed_at timestamptz(3),
  assignee_id uuid,
  -- Its events belong to that group as well, and it is listed there alone.
  merged_into uuid,
  -- Whether a person ever changed it: then retention keeps it.
  is_touched boolean NOT NULL DEFAULT false
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE INDEX groups_last_seen ON groups (project_id, state, last_seen, id) WHERE merged_into IS NULL;
-- Of all groups: deleting a project uses it, too.
CREATE INDEX groups_first_seen ON groups (project_id, state, first_seen, id);
CREATE INDEX groups_count ON groups (project_id, state, count, id) WHERE merged_into IS NULL;
CREATE INDEX groups_users ON groups (project_id, state, users, id) WHERE merged_into IS NULL;
CREATE INDEX groups_assignee ON groups (project_id, assignee_id) WHERE assignee_id IS NOT NULL;
CREATE INDEX groups_merged ON groups (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX groups_mute_until ON groups (organization_id, mute_until) WHERE state = 'muted' AND mute_until IS NOT NULL;

-- Which group the events of a fingerprint belong to. One that is merged leads on by its merged_into.
CREATE TABLE group_fingerprints (
  project_id uuid NOT NULL,
  fingerprint text NOT NULL,
  group_id uuid NOT NULL,
  -- Of the group, with its first fingerprint: a second index on the row that changes all the time would cost more.
  number integer,
  -- What an earlier algorithm made of the group's first event leads to it until then; null: the group's own.
  expires_at timestamptz(3),
  PRIMARY KEY (project_id, fingerprint)
);
CREATE INDEX group_fingerprints_group ON group_fingerprints (group_id);
CREATE INDEX group_fingerprints_number ON group_fingerprints (project_id, number) WHERE number IS NOT NULL;
CREATE INDEX group_fingerprints_expiry ON group_fingerprints (expires_at) WHERE expires_at IS NOT NULL;

-- The last number that a project gave to a group, and how many it began on a day.
CREATE TABLE group_numbers (
  project_id uuid PRIMARY KEY,
  last_number integer NOT NULL,
  day date NOT NULL,
  new_errors integer NOT NULL,
  new_others integer NOT NULL,
  -- How many of them the transaction that wrote the row last began.
  granted_errors integer NOT NULL,
  granted_others integer NOT NULL
) WITH (fillfactor = 50);

-- Hashes of the users that events of a group name, until there are more than 1,000.
CREATE TABLE group_users (
  group_id uuid NOT NULL,
  project_id uuid NOT NULL,
  user_hash bigint NOT NULL,
  -- The merged group that it is known from; null: the group's own.
  via uuid,
  PRIMARY KEY (group_id, user_hash)
);
CREATE INDEX group_users_project ON group_users (project_id);

-- Counts by the minute of capture, of each group without those that were merged into it. Maintenance adds them to
-- the hours after two days; what came later stands here until its next round, so both together are exact at any time.
CREATE TABLE group_minutes (
  group_id uuid NOT NULL,
  project_id uuid NOT NULL,
  minute timestamptz(0) NOT NULL,
  info integer NOT NULL,
  warn integer NOT NULL,
  error integer NOT NULL,
  critical integer NOT NULL,
  PRIMARY KEY (group_id, minute)
) WITH (fillfactor = 70);
CREATE INDEX group_minutes_project ON group_minutes (project_id, minute);

CREATE TABLE group_hours (
  group_id uuid NOT NULL,
  project_id uuid NOT NULL,
  hour timestamptz(0) NOT NULL,
  info bigint NOT NULL,
  warn bigint NOT NULL,
  error bigint NOT NULL,
  critical bigint NOT NULL,
  PRIMARY KEY (group_id, hour)
) WITH (fillfactor = 90);
CREATE INDEX group_hours_project ON group_hours (project_id, hour);

-- The releases that events of a group name.
CREATE TABLE group_releases (
  project_id uuid NOT NULL,
  release text NOT NULL,
  group_id uuid NOT NULL,
  PRIMARY KEY (project_id, release, group_id)
);
CREATE INDEX group_releases_group ON group_releases (group_id);

CREATE TABLE group_history (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  project_id uuid NOT NULL,
  group_id uuid NOT NULL,
  -- Null: the service.
  user_id uuid,
  before jsonb NOT NULL,
  after jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX group_history_group ON group_history (group_id, id);
CREATE INDEX group_history_project ON group_history (project_id);
