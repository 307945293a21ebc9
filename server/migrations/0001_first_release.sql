-- min_program: 1
-- The schema of 0.2.0, the first release. Times are timestamptz(3), ids are UUIDv7. A part each: accounts, projects, queue,
-- events, counts, groups, releases, incidents, detection, schedules, notifications, live updates.

------------------------------------------------------------------------------------------------------------------------------
-- Accounts: users, the organization that each of them belongs to, how they log in, and the record of every change.
------------------------------------------------------------------------------------------------------------------------------

CREATE TYPE plan AS ENUM ('free', 'pro', 'enterprise');
CREATE TYPE member_role AS ENUM ('OWNER', 'MEMBER');
CREATE TYPE severity AS ENUM ('info', 'warn', 'error', 'critical');

-- State of the service itself across restarts and processes, such as the session secret.
CREATE TABLE settings (
  name text PRIMARY KEY,
  value text NOT NULL
);

CREATE TABLE users (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL UNIQUE,
  password_hash text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- When the user set a password by a link that was mailed to the address: nothing else shows that it is the user's.
  email_verified_at timestamptz(3)
);

CREATE TABLE organizations (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  plan plan NOT NULL DEFAULT 'free',
  created_at timestamptz(3) NOT NULL
);

-- One row a user: each user is in exactly one organization.
CREATE TABLE members (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organizations,
  role member_role NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- When the user agreed to the membership, by the act that made it (founding, signing up or joining by invitation) or by
  -- choosing to stay after an OWNER added them; null: not yet.
  confirmed_at timestamptz(3),
  -- Access tokens refer to it.
  CONSTRAINT members_of_organization UNIQUE (organization_id, user_id)
);

CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  -- Where it was begun, for its user to recognise it in the list of sessions.
  address text,
  user_agent text,
  -- To some minutes; null: not since it was begun.
  last_seen_at timestamptz(3)
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);

-- Failed logins of the last minutes, by account ('account:…') and by address ('address:…').
CREATE TABLE login_failures (
  subject text NOT NULL,
  failed_at timestamptz(3) NOT NULL
);
CREATE INDEX login_failures_subject ON login_failures (subject, failed_at);

-- The second factor of logins: one-time codes of an app.
CREATE TABLE totp_factors (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  -- Encrypted, for this user alone.
  secret text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- Null: no code of it was entered yet, so no login asks for one.
  activated_at timestamptz(3),
  -- The 30 s since 1970 of the last code that was used: this one and earlier ones are not taken again.
  last_step bigint NOT NULL DEFAULT 0
);

-- The codes that replace them.
CREATE TABLE totp_recovery_codes (
  user_id uuid NOT NULL REFERENCES totp_factors ON DELETE CASCADE,
  -- SHA-256 of a code that was not used yet.
  hash bytea NOT NULL,
  PRIMARY KEY (user_id, hash)
);

-- Links by which users set a new password or confirm a new address. A link's token is stored as its hash only.
CREATE TABLE recovery_links (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  hash bytea NOT NULL UNIQUE,
  -- SHA-256 of the password's hash when the link was made: with any change of the password the link ends.
  of_password bytea NOT NULL,
  -- 'mail', 'owner' or 'operator', or 'user' for one that confirms an address
  origin text NOT NULL,
  -- New address of the user, to which it was mailed; null: it sets a password.
  email text,
  -- The OWNER who made it; null for the other origins.
  created_by uuid REFERENCES users ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX recovery_links_user ON recovery_links (user_id, created_at);
CREATE INDEX recovery_links_creator ON recovery_links (created_by);
CREATE INDEX recovery_links_creation ON recovery_links (created_at);

-- Invitations into an organization, each used once by the user who has its link. The link's token is stored as its hash only.
CREATE TABLE invitations (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  hash bytea NOT NULL UNIQUE,
  role member_role NOT NULL,
  -- Normalized; null: for any user.
  email text,
  created_by uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  accepted_at timestamptz(3)
);
CREATE INDEX invitations_organization ON invitations (organization_id, id);
CREATE INDEX invitations_creator ON invitations (created_by);
CREATE INDEX invitations_expiry ON invitations (expires_at);

-- Personal access tokens: they open the management API to the programs of a user. As with a key, only the SHA-256 is stored.
CREATE TABLE access_tokens (
  id uuid PRIMARY KEY,
  organization_id uuid,
  user_id uuid,
  name text NOT NULL,
  prefix text NOT NULL,
  hash bytea NOT NULL UNIQUE,
  scopes text[] NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  -- A user who leaves the organization loses the token for good, also when the user comes back. In the schema, so that
  -- it holds for everything that moves members.
  CONSTRAINT access_tokens_member FOREIGN KEY (organization_id, user_id)
    REFERENCES members (organization_id, user_id) ON UPDATE SET NULL ON DELETE CASCADE
);
CREATE INDEX access_tokens_of_member ON access_tokens (organization_id, user_id, id);
CREATE INDEX access_tokens_expiry ON access_tokens (expires_at);

-- Changes that others made to a user's membership, and what the service found about a project, shown to the user until they dismiss them.
CREATE TABLE notices (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  kind text NOT NULL,
  -- As they were called at that moment: both may be gone later.
  organization_id uuid NOT NULL,
  organization_name text NOT NULL,
  -- Null: the service itself.
  actor_id uuid,
  actor_name text,
  -- Null: it is about a membership.
  project_id uuid,
  project_name text,
  environment text,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX notices_user ON notices (user_id, id);
CREATE INDEX notices_project ON notices (project_id) WHERE project_id IS NOT NULL;

-- One row for each change through the management API, written in the transaction of the change.
CREATE TABLE audit_log (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  user_id uuid NOT NULL,
  action text NOT NULL,
  target_id text NOT NULL,
  before jsonb,
  after jsonb,
  created_at timestamptz(3) NOT NULL,
  -- The access token that made the change, with its name at that time; null: its user did, with a login.
  token_id uuid,
  token_name text
);
CREATE INDEX audit_log_organization ON audit_log (organization_id, id);

------------------------------------------------------------------------------------------------------------------------------
-- Projects: what events are sent to, and the keys that open them to applications.
------------------------------------------------------------------------------------------------------------------------------

CREATE TYPE environment AS ENUM ('production', 'staging', 'development');

-- A deleted project keeps its row, with deleted_at set, until its events have been removed in the background.
-- A transaction that writes something of a project holds FOR KEY SHARE on this row; deleting takes FOR UPDATE.
CREATE TABLE projects (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations,
  name text NOT NULL,
  environment environment NOT NULL,
  -- Beginning of the keys of its groups. Former ones, newest first, lead to them as well; no other project takes them.
  group_prefix text NOT NULL,
  former_prefixes text[] NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3),
  -- In the project's DSN; never assigned again.
  number integer GENERATED ALWAYS AS IDENTITY,
  -- Further names whose values are secret, and rules that are switched off.
  scrubbing jsonb NOT NULL DEFAULT '{"off": [], "safe": [], "names": [], "personal": []}',
  -- Days for which events of a severity are kept; of one that is not named, as long as the installation keeps events.
  retention jsonb NOT NULL DEFAULT '{}',
  -- Events of a kind stored in an hour beyond which samples are kept; null: all events are kept.
  sample_above integer,
  -- Conditions of its rules on fields of the payload, with their keys, for the statement that stores events; null: there are none.
  counted_fields jsonb
);
CREATE INDEX projects_organization ON projects (organization_id, id);
CREATE INDEX projects_scrubbing ON projects (id) WHERE scrubbing <> '{"off": [], "safe": [], "names": [], "personal": []}';
CREATE INDEX projects_retention ON projects (id) WHERE retention <> '{}';
CREATE INDEX projects_deleted ON projects (id) WHERE deleted_at IS NOT NULL;
CREATE UNIQUE INDEX projects_number ON projects (number);
CREATE UNIQUE INDEX projects_group_prefix ON projects (organization_id, group_prefix) WHERE deleted_at IS NULL;

-- The environments that events of a project name, by the number that their rows have. 1 to 3 are those of the type
-- `environment`, in its order; 0 stands for all names beyond the bound.
CREATE TABLE environments (
  project_id uuid NOT NULL,
  number smallint NOT NULL,
  name text NOT NULL,
  -- False: its events open nothing, and nothing is learned from them.
  is_watched boolean NOT NULL,
  -- True if the OWNERs have got the notice that nearly all events come from it while it is not watched.
  is_announced boolean NOT NULL DEFAULT false,
  PRIMARY KEY (project_id, number),
  UNIQUE (project_id, name)
);

-- The key itself is never stored, only its SHA-256. Revoking deletes the row.
CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects,
  name text NOT NULL,
  prefix text NOT NULL,
  hash bytea NOT NULL UNIQUE,
  created_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3),
  -- The access token that made it, as {"id", "name"} at that time; null: a login did. So it is for targets, routes and schedules.
  made_by_token jsonb,
  -- Limits of a key that stands in pages, as {"origins"}; null: it is for servers.
  browser jsonb,
  use text NOT NULL DEFAULT 'server',
  CHECK ((use = 'browser') = (browser IS NOT NULL))
);
CREATE INDEX api_keys_project ON api_keys (project_id, id);
CREATE INDEX api_keys_prefix ON api_keys (prefix);

-- The newest revoked keys of a project: a request that still names one is shown to it.
CREATE TABLE revoked_keys (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  name text NOT NULL,
  prefix text NOT NULL,
  revoked_at timestamptz(3) NOT NULL
);
CREATE INDEX revoked_keys_project ON revoked_keys (project_id, revoked_at);
CREATE INDEX revoked_keys_prefix ON revoked_keys (prefix);

-- Limits on the events of a project (without a key) or a key; null: none.
CREATE TABLE quotas (
  project_id uuid NOT NULL,
  key_id uuid REFERENCES api_keys ON DELETE CASCADE,
  per_5_minutes bigint,
  per_hour bigint,
  per_day bigint,
  UNIQUE NULLS NOT DISTINCT (project_id, key_id)
);
CREATE INDEX quotas_key ON quotas (key_id);

-- The budget of a limit in one window of time: processes take events from it in advance.
CREATE TABLE quota_windows (
  -- Project or key.
  subject_id uuid NOT NULL,
  seconds integer NOT NULL,
  starts_at timestamptz(3) NOT NULL,
  project_id uuid NOT NULL,
  -- The limit, as it was when a process asked last.
  max_events bigint NOT NULL DEFAULT 0,
  -- Taken by processes, and by process how many of these it has not reported as used, with the end of its lease (seconds).
  granted bigint NOT NULL DEFAULT 0,
  leases jsonb NOT NULL DEFAULT '{}',
  refused bigint NOT NULL DEFAULT 0,
  -- Begin of the refusals, which may be in the windows before; null: nothing was refused.
  over_since timestamptz(3),
  -- True once OWNERs have a notice of it.
  is_announced boolean NOT NULL DEFAULT false,
  PRIMARY KEY (subject_id, seconds, starts_at)
) WITH (fillfactor = 50);
CREATE INDEX quota_windows_project ON quota_windows (project_id, starts_at);
CREATE INDEX quota_windows_age ON quota_windows (starts_at);
CREATE INDEX quota_windows_announced ON quota_windows (project_id) WHERE over_since IS NOT NULL AND NOT is_announced;

-- Addresses for signed requests of other services. Each is the key of its id, whose hash is that of the token in the address.
CREATE TABLE hooks (
  id uuid PRIMARY KEY REFERENCES api_keys ON DELETE CASCADE,
  kind text NOT NULL,
  -- The valid signing secrets, encrypted, with the id of the key; null: there are none yet.
  secrets text,
  secret_count integer NOT NULL,
  last_refused_at timestamptz(3),
  last_refusal text
);

------------------------------------------------------------------------------------------------------------------------------
-- Queue: what was acknowledged and is not stored yet, and the keys by which a repeat is recognised.
------------------------------------------------------------------------------------------------------------------------------

-- One row a commit of the intake: the events as one JSON array, and for each project how many were accepted
-- and how many of those were repeats, which the ledger adds when the row is processed.
CREATE TABLE queue (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  accepted_at timestamptz(3) NOT NULL DEFAULT now(),
  bytes integer NOT NULL,
  deltas jsonb NOT NULL,
  events text NOT NULL,
  -- True if they waited on disk while the database was lost: detection does not evaluate them.
  is_spooled boolean NOT NULL DEFAULT false
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
-- Batches are compressed, since they are half of what is written to disk for an event; within the row where that has room.
ALTER TABLE queue ALTER COLUMN events SET STORAGE MAIN;

-- The first request with an idempotency key (or a payment's id) wins; later ones get its answer.
CREATE TABLE claims (
  project_id uuid NOT NULL,
  -- By bytes, so that keys with the same beginning are found.
  key text COLLATE "C" NOT NULL,
  job_id uuid NOT NULL,
  -- The whole answer, where it holds more than one job (bulk).
  answer jsonb,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, key)
);
CREATE INDEX claims_age ON claims (created_at);

-- Events that PostgreSQL refused to store, with the reason. The event stays as the text that was accepted.
CREATE TABLE dead_letters (
  project_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL,
  -- Message of the event, for lists.
  title text NOT NULL,
  event text NOT NULL,
  -- Number of accepted events in it: its repeats, or a text that cannot be read.
  events integer NOT NULL,
  sql_state text NOT NULL,
  reason text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, id)
);
CREATE INDEX dead_letters_age ON dead_letters (created_at);

-- accepted = stored + queued + duplicate + dead + dropped + sampled + erased + expired, always; queued is what still stands in the queue.
-- Without a foreign key: what was counted stays counted after its project is gone.
CREATE TABLE ledgers (
  project_id uuid PRIMARY KEY,
  accepted bigint NOT NULL DEFAULT 0,
  stored bigint NOT NULL DEFAULT 0,
  duplicate bigint NOT NULL DEFAULT 0,
  dead bigint NOT NULL DEFAULT 0,
  dropped bigint NOT NULL DEFAULT 0,
  -- Events that were counted and not kept, since others stand for them.
  sampled bigint NOT NULL DEFAULT 0,
  -- Stored or dead before.
  erased bigint NOT NULL DEFAULT 0,
  -- Events that were stored until retention removed them.
  expired bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- What clients sent, or say that they lost, without an event for each. Kinds and reasons are of closed sets.
CREATE TABLE unstored_items (
  project_id uuid NOT NULL,
  kind text NOT NULL,
  reason text NOT NULL,
  quantity bigint NOT NULL,
  PRIMARY KEY (project_id, kind, reason)
);

-- Secrets and personal data that ingestion replaced, by the day on which a process wrote them, by the database's clock.
CREATE TABLE scrubbed_values (
  project_id uuid NOT NULL,
  day timestamptz(3) NOT NULL,
  rule text NOT NULL,
  quantity bigint NOT NULL,
  PRIMARY KEY (project_id, day, rule)
) WITH (fillfactor = 50);
CREATE INDEX scrubbed_values_age ON scrubbed_values (day);

-- Requests to ingestion in the last 24 hours, by the minute in which a process wrote them, by the database's clock.
CREATE TABLE request_counts (
  project_id uuid NOT NULL,
  minute timestamptz(3) NOT NULL,
  -- Null: the request has no key that is known.
  key_id uuid,
  protocol text NOT NULL,
  -- Code of the error; null: it was accepted.
  reason text,
  quantity bigint NOT NULL,
  last_at timestamptz(3) NOT NULL,
  UNIQUE NULLS NOT DISTINCT (project_id, minute, key_id, protocol, reason)
) WITH (fillfactor = 50);
CREATE INDEX request_counts_age ON request_counts (minute);

-- The newest requests of each project, without secrets and without anything of their bodies.
CREATE TABLE request_samples (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id uuid NOT NULL,
  at timestamptz(3) NOT NULL,
  key_id uuid,
  -- First characters of the key that the request names.
  key_prefix text,
  -- False: the request only names the project, without a valid key of it.
  is_authenticated boolean NOT NULL,
  protocol text NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  status smallint NOT NULL,
  reason text,
  detail text,
  request_id text,
  headers jsonb NOT NULL,
  -- Hashes of the ids that the sender gave the request.
  named_ids text[] NOT NULL
);
CREATE INDEX request_samples_project ON request_samples (project_id, id);
CREATE INDEX request_samples_age ON request_samples (at);

-- When which process took events in: a minute in which none did says nothing about its senders.
CREATE TABLE intake_presence (
  process_id uuid NOT NULL,
  since timestamptz(3) NOT NULL,
  until timestamptz(3) NOT NULL,
  -- By the database's clock, where the other two are by the clock that stamps the events. -infinity: the process has ended.
  told_at timestamptz(3) NOT NULL,
  -- Events that wait on its disk, by project.
  on_disk jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (process_id, since)
) WITH (fillfactor = 50);

------------------------------------------------------------------------------------------------------------------------------
-- Events
------------------------------------------------------------------------------------------------------------------------------

-- The first 48 bits of an id are the milliseconds of capturedAt (UUIDv7): the order of ids is the order of
-- time, so one key serves lookups, pages, time ranges and the partitions, which are made a week each.
CREATE TABLE events (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  project_id uuid NOT NULL,
  received_at timestamptz(3) NOT NULL,
  severity severity NOT NULL,
  type text NOT NULL,
  source text,
  message text NOT NULL,
  correlation_id text NOT NULL,
  fingerprint text NOT NULL,
  release text,
  correlation jsonb NOT NULL,
  payload jsonb NOT NULL,
  -- Decided by ingestion; null: the event is no payment.
  failed_payment boolean,
  -- Of a payment, in the smallest unit of its currency; null: not known.
  amount bigint,
  currency text,
  -- Parts that ingestion left out, shortened or corrected; null: the event is stored as sent.
  changed text[],
  -- Number of the algorithm that made the fingerprint.
  fingerprint_version smallint NOT NULL DEFAULT 1,
  -- Number in `environments`.
  environment smallint NOT NULL DEFAULT 1,
  -- True for an alert of another system, which is no evidence; else null.
  is_alert boolean,
  -- Number of secrets that ingestion replaced, by rule; null: none.
  scrubbed jsonb,
  -- Number of events that it stands for, itself included; null: only itself.
  weight integer
) PARTITION BY RANGE (id);
CREATE INDEX events_organization ON events (organization_id, id);
CREATE INDEX events_of_project ON events (project_id, id);
-- By it, the amounts of failed payments are added up.
CREATE INDEX events_failed_payments ON events (project_id, id) WHERE failed_payment;

-- Requests to erase what a user, or another value of a correlation, has left.
CREATE TABLE erasures (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  -- Null: all projects.
  project_id uuid,
  -- Null: any key of a correlation.
  key text,
  -- Null once it is done.
  value text,
  -- SHA-256 of the public id, a colon and the value.
  value_hash bytea NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'erasing', 'done')),
  created_by uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- The last row of the queue that it covers, and that moment by the database's clock; null: it has not begun.
  queue_id bigint,
  covered_until timestamptz(3),
  -- Events with this id and later ones are erased; null: none are.
  erased_from uuid,
  -- Numbers of rows that were erased, or in which the value was replaced.
  events bigint NOT NULL DEFAULT 0,
  dead_letters bigint NOT NULL DEFAULT 0,
  texts bigint NOT NULL DEFAULT 0,
  -- Places that may still hold the value, each as {"what", "until"}.
  unreached jsonb NOT NULL DEFAULT '[]',
  finished_at timestamptz(3)
);
CREATE INDEX erasures_organization ON erasures (organization_id, id);
CREATE INDEX erasures_project ON erasures (project_id);
CREATE INDEX erasures_unfinished ON erasures (organization_id, id) WHERE finished_at IS NULL;

-- Events of a fingerprint or a correlation id are found by a hash of 8 bytes in place of the organization and the text: indexes
-- on both would be half of what an event takes. Different values may have the same hash, so a lookup compares
-- organization and value as well.
CREATE FUNCTION event_key(organization_id uuid, value text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN hashtextextended(value, uuid_hash_extended(organization_id, 0));
CREATE INDEX events_fingerprint_key ON events (event_key(organization_id, fingerprint), id);
CREATE INDEX events_correlation_key ON events (event_key(organization_id, correlation_id), id);
-- Every value of an event's correlation can be found, not only the first one, by a hash of it and the organization. Some 60
-- bytes an event of three values.
CREATE INDEX events_correlation_values ON events
  USING gin (jsonb_set('{}', ARRAY[organization_id::text], jsonb_path_query_array(correlation, '$.*')) jsonb_path_ops);

-- Hashes of the ids of events that were counted and not kept, by the minute of capture: their jobs are known by these.
CREATE TABLE sampled_events (
  project_id uuid NOT NULL,
  minute timestamptz(0) NOT NULL,
  hashes integer[] NOT NULL
);
ALTER TABLE sampled_events ALTER COLUMN hashes SET STORAGE EXTERNAL;
CREATE INDEX sampled_events_project ON sampled_events (project_id, minute);
CREATE INDEX sampled_events_age ON sampled_events (minute);

------------------------------------------------------------------------------------------------------------------------------
-- Counts of events, for charts, frequent values and detection.
------------------------------------------------------------------------------------------------------------------------------

-- By the minute of capturedAt, written by the statement that stores the events.
CREATE TABLE event_counts (
  organization_id uuid NOT NULL,
  project_id uuid NOT NULL,
  minute timestamptz(0) NOT NULL,
  severity severity NOT NULL,
  type text NOT NULL,
  source text,
  count bigint NOT NULL,
  -- How many of `count` are failed payments although their severity is milder than error. A failed payment of severity
  -- error or worse is in `count` alone.
  failed_payments bigint NOT NULL DEFAULT 0,
  -- Number in `environments`.
  environment smallint NOT NULL DEFAULT 1,
  -- How many of `count` are alerts of other systems, which detection leaves out.
  alerts bigint NOT NULL DEFAULT 0,
  UNIQUE NULLS NOT DISTINCT (organization_id, project_id, minute, severity, type, source, environment)
) WITH (fillfactor = 70);
CREATE INDEX event_counts_age ON event_counts (minute);

-- The same of the events that fulfil a condition of a rule on a field of the payload, while the rule is there. A failed payment
-- counts as an error, and alerts of other systems do not count.
CREATE TABLE field_counts (
  organization_id uuid NOT NULL,
  project_id uuid NOT NULL,
  minute timestamptz(0) NOT NULL,
  -- The condition's key, as the detector makes it.
  condition text NOT NULL,
  severity severity NOT NULL,
  type text NOT NULL,
  source text,
  -- Number in `environments`.
  environment smallint NOT NULL,
  count bigint NOT NULL,
  UNIQUE NULLS NOT DISTINCT (organization_id, project_id, minute, condition, severity, type, source, environment)
) WITH (fillfactor = 70);
CREATE INDEX field_counts_age ON field_counts (minute);

-- Copies of counts by the hour, for reads of days and of many groups: `event_hours`, `group_recent_hours` and `fingerprint_hours`. Their
-- one writer is `server/src/events/counts/write-hour.ts`. Maintenance has it copy whole hours that are over; what arrives for one of
-- them later marks it until it is copied again, so copies and marks together are exact at any time. Nothing but the mark is
-- written when events come.

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

-- The counts of `event_counts`, of each quarter of an hour, of a project or of all projects of an organization (those of
-- deleted ones until their data is removed), by severity alone or by severity, type and source. A partition a scope: a read
-- passes over the rows of its scope alone, which lie beside each other.
CREATE TYPE hour_scope AS ENUM ('project', 'project_series', 'organization', 'organization_series');
CREATE TABLE event_hours (
  scope hour_scope NOT NULL,
  organization_id uuid NOT NULL,
  -- Null: all.
  project_id uuid,
  hour timestamptz(0) NOT NULL,
  severity severity NOT NULL,
  -- Null in scopes by severity: all.
  type text,
  source text,
  quarter_1 bigint NOT NULL,
  quarter_2 bigint NOT NULL,
  quarter_3 bigint NOT NULL,
  quarter_4 bigint NOT NULL,
  -- Null in scopes of an organization: all.
  environment smallint,
  -- In the scope `project`: true if the project keeps such events for less time, and maintenance has removed them.
  -- An hour that gets late events is copied again, so they are removed as well.
  is_expired boolean NOT NULL DEFAULT false
) PARTITION BY LIST (scope);
CREATE INDEX event_hours_age ON event_hours (hour);
CREATE TABLE event_hours_project PARTITION OF event_hours FOR VALUES IN ('project');
CREATE UNIQUE INDEX event_hours_project_key ON event_hours_project (project_id, hour, severity, environment);
-- By it, maintenance finds the hours whose events are too old.
CREATE INDEX event_hours_project_kept ON event_hours_project (project_id, severity, hour) WHERE NOT is_expired;
-- By it, incidents find how far back their events are kept.
CREATE INDEX event_hours_project_expired ON event_hours_project (project_id, severity, hour) WHERE is_expired;
CREATE TABLE event_hours_organization PARTITION OF event_hours FOR VALUES IN ('organization');
CREATE UNIQUE INDEX event_hours_organization_key ON event_hours_organization (organization_id, hour, severity);
CREATE TABLE event_hours_organization_series PARTITION OF event_hours FOR VALUES IN ('organization_series');
CREATE UNIQUE INDEX event_hours_organization_series_key
  ON event_hours_organization_series (organization_id, hour, severity, type, source) NULLS NOT DISTINCT;
CREATE TABLE event_hours_project_series PARTITION OF event_hours FOR VALUES IN ('project_series');
CREATE UNIQUE INDEX event_hours_project_series_key
  ON event_hours_project_series (organization_id, project_id, hour, severity, type, source, environment) NULLS NOT DISTINCT;
-- By these, lists find the newest hours with a rare type, source or severity.
CREATE INDEX event_hours_project_series_type ON event_hours_project_series (organization_id, type, severity, hour);
CREATE INDEX event_hours_project_series_source ON event_hours_project_series (organization_id, source, severity, hour);
CREATE INDEX event_hours_project_series_severity ON event_hours_project_series (organization_id, severity, hour);

-- The most frequent fingerprints of each hour of an organization, with a bound on what all others count: the most frequent ones of weeks
-- are among those that the hours name, without reading what a million rare ones count in them. For all severities together
-- (null) and for each: the 100 largest of all projects, and what any other counts at most.
-- Nothing counts more than this says, but for events that came since: their hours are in `stale_hours`.
CREATE TABLE fingerprint_hours (
  organization_id uuid NOT NULL,
  hour timestamptz(0) NOT NULL,
  severity severity,
  fingerprints text[] NOT NULL,
  counts bigint[] NOT NULL,
  others_at_most bigint NOT NULL,
  UNIQUE NULLS NOT DISTINCT (organization_id, hour, severity)
);
CREATE INDEX fingerprint_hours_age ON fingerprint_hours (hour);

------------------------------------------------------------------------------------------------------------------------------
-- Groups: events of one kind as one problem, with a state, an assignee and a history.
------------------------------------------------------------------------------------------------------------------------------

CREATE TYPE group_state AS ENUM ('open', 'resolved', 'muted');

-- Kept in the transaction that stores the events. Times of events are those of their capture.
CREATE TABLE groups (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  project_id uuid NOT NULL,
  -- Within the project, with gaps. 0: the events of all kinds beyond the bound on new groups.
  number integer NOT NULL,
  -- The one of its first event. The others that lead to it are in group_fingerprints.
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
  -- True if a person ever changed it: then retention keeps it.
  is_touched boolean NOT NULL DEFAULT false,
  -- A bit for each number in `environments` that its own events have.
  environments integer NOT NULL DEFAULT 0,
  -- False: all of its events are from environments that are not watched, and nobody was told that it began.
  is_watched boolean NOT NULL DEFAULT true,
  -- Hour in which its own events were stored last while any project kept samples, and their numbers in environments that
  -- are not watched and in watched ones; null: none were.
  sampled_hour timestamptz(0),
  sampled_unwatched bigint,
  sampled_watched bigint
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE INDEX groups_last_seen ON groups (project_id, state, last_seen, id) WHERE merged_into IS NULL;
-- Lists begin with warnings and worse. Among a million groups of severity info, which come all the time, these would be found
-- by reading all of them.
CREATE INDEX groups_last_seen_warn ON groups (project_id, state, last_seen, id)
  WHERE merged_into IS NULL AND severity >= 'warn';
-- With merged groups: deleting a project uses it, too.
CREATE INDEX groups_first_seen ON groups (project_id, state, first_seen, id);
CREATE INDEX groups_count ON groups (project_id, state, count, id) WHERE merged_into IS NULL;
CREATE INDEX groups_users ON groups (project_id, state, users, id) WHERE merged_into IS NULL;
CREATE INDEX groups_assignee ON groups (project_id, assignee_id) WHERE assignee_id IS NOT NULL;
CREATE INDEX groups_merged ON groups (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX groups_mute_until ON groups (organization_id, mute_until) WHERE state = 'muted' AND mute_until IS NOT NULL;
-- Few have regressed: among a million others they would be found by reading all of these.
CREATE INDEX groups_regressed ON groups (project_id) WHERE regressed_at IS NOT NULL;

-- The texts by which groups are found, which never change, apart from their counts: an index on them costs nothing when events
-- come, while every index of `groups` is written with every batch.
CREATE TABLE group_texts (
  group_id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  type text NOT NULL,
  source text,
  -- The beginning of the message, culprit, and functions and files of the frames.
  words text NOT NULL,
  -- Frames from the culprit on, as in a payload with the debug ids of their files; null: these have no source map.
  culprit_frames jsonb
);
-- With the id of the group, so that some thousand groups of a type or source are found in the index alone.
CREATE INDEX group_texts_by_type ON group_texts (project_id, type, group_id);
CREATE INDEX group_texts_by_source ON group_texts (project_id, source, group_id);

-- The extension comes with PostgreSQL, but a managed one may refuse it. Then words are looked for in a bounded number of
-- groups. An operator who installs it later creates the index as well (docs/backup-and-upgrade.md).
DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX group_texts_words ON group_texts USING gin (words gin_trgm_ops) WITH (gin_pending_list_limit = 512);
EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_file OR undefined_object THEN
  RAISE NOTICE 'Without the extension pg_trgm words are not looked for in all groups: %', SQLERRM;
END $$;

-- A trigger, since not all groups are worded by the statement that inserts them: the one of all further kinds is not, nor is one
-- whose first event is gone by then.
CREATE FUNCTION insert_group_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO group_texts (group_id, project_id, type, source, words)
  VALUES (NEW.id, NEW.project_id, NEW.type, NEW.source, concat_ws(' ', NEW.title, NEW.culprit)) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER groups_insert_text AFTER INSERT ON groups FOR EACH ROW EXECUTE FUNCTION insert_group_text();

-- A trigger in place of a foreign key, which would have a group written before its texts.
CREATE FUNCTION delete_group_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM group_texts WHERE group_id = OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER groups_delete_text AFTER DELETE ON groups FOR EACH ROW EXECUTE FUNCTION delete_group_text();

-- Group of the events of a fingerprint. A merged group leads on by its merged_into.
CREATE TABLE group_fingerprints (
  project_id uuid NOT NULL,
  fingerprint text NOT NULL,
  group_id uuid NOT NULL,
  -- Number of the group, with its first fingerprint: a second index on the row that changes all the time would cost more.
  number integer,
  -- The fingerprint of its first event by the algorithm before leads to it until then; null: the group's own.
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
-- The largest counts of an hour are read without the many small ones.
CREATE INDEX group_hours_total ON group_hours (project_id, hour, (info + warn + error + critical));
-- The same of one severity: most are infos, whose order is that of all together.
CREATE INDEX group_hours_warn ON group_hours (project_id, hour, warn) WHERE warn > 0;
CREATE INDEX group_hours_error ON group_hours (project_id, hour, error) WHERE error > 0;
CREATE INDEX group_hours_critical ON group_hours (project_id, hour, critical) WHERE critical > 0;

-- Copies of the minutes by the hour, for hours whose minutes are kept.
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
CREATE INDEX group_recent_hours_total ON group_recent_hours (project_id, hour, (info + warn + error + critical));

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

------------------------------------------------------------------------------------------------------------------------------
-- Releases of a project, and their deploys.
------------------------------------------------------------------------------------------------------------------------------

-- One row for each version that events or deploys of a project have named, kept by the statement that stores them.
CREATE TABLE releases (
  project_id uuid NOT NULL,
  version text NOT NULL,
  -- The order of appearance within the project, with gaps.
  number bigint GENERATED ALWAYS AS IDENTITY,
  -- By the time of capture; null: known by a deploy alone, before any event.
  first_seen timestamptz(3),
  last_seen timestamptz(3),
  -- The first deploy that was reported; null: none was.
  deployed_at timestamptz(3),
  events bigint NOT NULL DEFAULT 0,
  -- Events of severity error or worse.
  errors bigint NOT NULL DEFAULT 0,
  new_groups bigint NOT NULL DEFAULT 0,
  -- How many users its events name, counted up to 2; the hash tells the first from a second.
  users smallint NOT NULL DEFAULT 0,
  first_user integer,
  PRIMARY KEY (project_id, version)
) WITH (fillfactor = 70);
-- Releases that Sentry's command line named for a project: its deploys name none. The newest of each project.
CREATE TABLE named_releases (
  project_id uuid NOT NULL,
  version text NOT NULL,
  named_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, version)
);
CREATE INDEX releases_number ON releases (project_id, number);
CREATE INDEX releases_age ON releases (coalesce(last_seen, deployed_at));

CREATE TABLE deploys (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  release text NOT NULL,
  environment text NOT NULL,
  deployed_at timestamptz(3) NOT NULL,
  -- User who reported it; null: an application, by an API key.
  user_id uuid,
  created_at timestamptz(3) NOT NULL,
  -- A repeat is the same deploy.
  UNIQUE (project_id, release, environment)
);
CREATE INDEX deploys_project ON deploys (project_id, deployed_at, id);
CREATE INDEX deploys_age ON deploys (deployed_at);

------------------------------------------------------------------------------------------------------------------------------
-- Source maps of a project, which lead from positions in built files to their sources.
------------------------------------------------------------------------------------------------------------------------------

-- Chunks of bundles that are being uploaded, for a day at most. A bundle names its project once all of it is here.
-- Losing these in a crash loses nothing: the client is asked for them again. A reference to their organization would
-- lock its row, and so write to the log for each.
CREATE UNLOGGED TABLE upload_chunks (
  organization_id uuid NOT NULL,
  -- SHA-1.
  checksum bytea NOT NULL,
  bytes bytea NOT NULL,
  uploaded_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, checksum)
);
-- They are compressed.
ALTER TABLE upload_chunks ALTER bytes SET STORAGE EXTERNAL;
CREATE INDEX upload_chunks_age ON upload_chunks (uploaded_at);

-- One row for each debug id that a tool has written into a built file and its map.
CREATE TABLE source_maps (
  project_id uuid NOT NULL,
  debug_id uuid NOT NULL,
  -- SHA-256 of the map.
  checksum bytea NOT NULL,
  -- True if the pieces are deflated, as in their bundle.
  is_deflated boolean NOT NULL,
  -- Length of all pieces.
  packed_bytes integer NOT NULL,
  -- The last upload, or the last day on which it was read.
  used_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, debug_id)
);
CREATE INDEX source_maps_age ON source_maps (used_at);
CREATE TABLE source_map_pieces (
  project_id uuid NOT NULL,
  debug_id uuid NOT NULL,
  number smallint NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (project_id, debug_id, number),
  FOREIGN KEY (project_id, debug_id) REFERENCES source_maps ON DELETE CASCADE
);
ALTER TABLE source_map_pieces ALTER bytes SET STORAGE EXTERNAL;
-- Bundles of which all maps are stored: a repeated upload ends at once.
CREATE TABLE source_map_bundles (
  project_id uuid NOT NULL,
  -- SHA-1.
  checksum bytea NOT NULL,
  debug_ids uuid[] NOT NULL,
  assembled_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, checksum)
);

------------------------------------------------------------------------------------------------------------------------------
-- Incidents, what happened to them, and the frames that tell dashboards about it.
------------------------------------------------------------------------------------------------------------------------------

CREATE TYPE incident_status AS ENUM ('open', 'investigating', 'resolved');
CREATE TYPE incident_origin AS ENUM ('manual', 'risk', 'schedule', 'alertmanager', 'grafana');

CREATE TABLE incidents (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  project_id uuid NOT NULL,
  title text NOT NULL,
  -- Author of the title: the service, or a person who changed it.
  title_origin text NOT NULL CHECK (title_origin IN ('generated', 'person')),
  severity severity NOT NULL,
  status incident_status NOT NULL,
  origin incident_origin NOT NULL,
  event_count bigint NOT NULL DEFAULT 0,
  evidence jsonb,
  -- The series that a risk incident is about; null for others.
  type text,
  source text,
  -- The detector's own number of it, which counts up within the project: no incident is opened twice.
  risk_number integer,
  -- The schedule that it is about, which may be deleted by now.
  schedule_id uuid,
  previous_incident_id uuid,
  -- The user who moved it to investigating; null: none did.
  investigator_id uuid,
  -- Pages of other systems about its alerts, each with its name.
  links jsonb NOT NULL DEFAULT '[]',
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  resolved_at timestamptz(3)
);
CREATE INDEX incidents_organization ON incidents (organization_id, id);
CREATE INDEX incidents_project ON incidents (project_id, id);
CREATE UNIQUE INDEX incidents_risk_number ON incidents (project_id, risk_number);
CREATE INDEX incidents_schedule ON incidents (schedule_id, id) WHERE schedule_id IS NOT NULL;
-- Each overview asks for the open incidents and for how many there are of each status. Unresolved ones are few among all that
-- ever were, so an index finds them; the resolved ones are counted when that changes.
CREATE INDEX incidents_by_status ON incidents (organization_id, status, id) WHERE status <> 'resolved';

CREATE TABLE resolved_incidents (
  project_id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  count bigint NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX resolved_incidents_organization ON resolved_incidents (organization_id);

-- Triggers, since a restore and the purge of a project write incidents as well: they insert and delete thousands at a time.
CREATE FUNCTION count_resolved_incident() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO resolved_incidents AS r (project_id, organization_id, count)
  VALUES (NEW.project_id, NEW.organization_id, CASE WHEN NEW.status = 'resolved' THEN 1 ELSE -1 END)
  ON CONFLICT (project_id) DO UPDATE SET count = r.count + excluded.count;
  RETURN NULL;
END $$;
CREATE TRIGGER incidents_count_resolved AFTER UPDATE ON incidents FOR EACH ROW
  WHEN ((OLD.status = 'resolved') <> (NEW.status = 'resolved')) EXECUTE FUNCTION count_resolved_incident();

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

CREATE TABLE incident_timeline (
  id uuid PRIMARY KEY,
  incident_id uuid NOT NULL REFERENCES incidents ON DELETE CASCADE,
  -- Null: the service itself.
  user_id uuid,
  before jsonb,
  after jsonb,
  note text,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX incident_timeline_incident ON incident_timeline (incident_id, id);

-- Groups of alerts that another system notifies of, with the incident that each led to last. Removed 30 days after the last
-- notification.
CREATE TABLE alert_groups (
  project_id uuid NOT NULL,
  -- SHA-256 of its origin and its key, which may be long.
  key_hash bytea NOT NULL,
  origin incident_origin NOT NULL,
  -- Null: none of its alerts has fired.
  incident_id uuid,
  -- By fingerprint: its start and its end in milliseconds, and when it was listed last.
  alerts jsonb NOT NULL,
  -- The distinct sources of those that fire, or were over within ten minutes, and when one of them began to, as far as it was told.
  sources text[] NOT NULL,
  fired_at timestamptz(3),
  -- True if an alert fires, or may among those that the sender left out.
  is_open boolean NOT NULL,
  is_truncated boolean NOT NULL,
  received_at timestamptz(3) NOT NULL,
  -- The longest time between two notifications that said the same; null: not known yet.
  repeat_ms bigint,
  -- When the worker looks for alerts that are no longer repeated; null: never.
  review_at timestamptz(3),
  PRIMARY KEY (project_id, key_hash)
);
CREATE INDEX alert_groups_incident ON alert_groups (incident_id) WHERE incident_id IS NOT NULL;
CREATE INDEX alert_groups_review ON alert_groups (review_at) WHERE review_at IS NOT NULL;
CREATE INDEX alert_groups_age ON alert_groups (received_at);

-- One row a frame, in the order of commits (the writer holds an advisory lock from here to its commit), so
-- a process that remembers its last frame misses none. Kept for an hour.
CREATE TABLE incident_frames (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id uuid NOT NULL,
  project_id uuid NOT NULL,
  event text NOT NULL,
  data jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX incident_frames_age ON incident_frames (created_at);

------------------------------------------------------------------------------------------------------------------------------
-- Detection: the stream from processing to it, its state, what a project asks of it, and what it decided.
------------------------------------------------------------------------------------------------------------------------------

-- One row for each processed batch: counts by series in 5-second buckets of receipt time.
CREATE TABLE risk_inbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  deltas jsonb NOT NULL,
  -- Kinds of errors in the batch, a bounded number of each project.
  errors jsonb NOT NULL DEFAULT '[]',
  -- How many counts and errors these are: the loop bounds what it takes at once.
  entries integer NOT NULL,
  -- The oldest bucket, in milliseconds: the loop reads no further ahead than one round goes.
  from_ms bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- The one worker that leads is the holder.
CREATE TABLE leases (
  name text PRIMARY KEY,
  holder_id uuid NOT NULL,
  expires_at timestamptz(3) NOT NULL
);

-- Times are those of the detectors, as in risk_progress.
CREATE TABLE risk_state (
  project_id uuid PRIMARY KEY,
  state bytea NOT NULL,
  -- The last round that is part of the state.
  round bigint NOT NULL,
  -- Memory of the detector, counted in series.
  series integer NOT NULL,
  -- Up to when time has passed for it, and when events came last.
  time_ms bigint NOT NULL,
  active_ms bigint NOT NULL,
  -- Detectors beyond the memory that a process has for them are offloaded, until events come or until then; null: the process
  -- that leads holds it in memory.
  visit_ms bigint
);
-- Numbers that hardly compress, written every few minutes.
ALTER TABLE risk_state ALTER COLUMN state SET STORAGE EXTERNAL;
CREATE INDEX risk_state_visit ON risk_state (visit_ms) WHERE visit_ms IS NOT NULL;

-- Projects whose detector another version saved: until it is rebuilt from their counts, a new one watches. Times as above.
CREATE TABLE risk_rebuilds (
  project_id uuid PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
  -- When events came last: the newest come first.
  active_ms bigint NOT NULL,
  -- Since when the new one watches.
  since_ms bigint NOT NULL,
  -- Attempts that failed, or ended with the process.
  attempts integer NOT NULL DEFAULT 0
);

-- Everything that went into the detectors since their state was saved, in order: what they are now follows from both.
CREATE TABLE risk_rounds (
  id bigint PRIMARY KEY,
  round text NOT NULL
);

-- One row: which round was the last, and up to when time has passed for the detectors.
CREATE TABLE risk_progress (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  last_round bigint NOT NULL,
  time_ms bigint NOT NULL,
  shift_ms bigint NOT NULL,
  -- Steps that are over and not known, [from, to) in milliseconds: time passes later for what is offloaded.
  gaps jsonb
);

-- A project without a row has the defaults.
CREATE TABLE risk_settings (
  project_id uuid PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
  -- False incidents a week that are acceptable.
  budget float8 NOT NULL,
  rules jsonb NOT NULL,
  new_kinds boolean NOT NULL,
  updated_at timestamptz(3) NOT NULL
);

-- Projects whose detector failed. Until `retry_at` their events are stored and not evaluated.
CREATE TABLE risk_excluded_projects (
  project_id uuid PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
  -- In a row, with less than a day between two.
  failures integer NOT NULL,
  failed_at timestamptz(3) NOT NULL,
  retry_at timestamptz(3) NOT NULL
);

-- Sources whose events arrive late by a nearly constant time, as a project's page names them.
CREATE TABLE risk_late_sources (
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  -- Null: events without a source.
  source text,
  behind_ms float8 NOT NULL,
  since timestamptz(3) NOT NULL
);
CREATE INDEX risk_late_sources_project ON risk_late_sources (project_id);

-- Decisions, with what was suppressed; kept for a week.
CREATE TABLE risk_decisions (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  project_id uuid NOT NULL,
  incident_id uuid,
  outcome text NOT NULL,
  reason text,
  series jsonb,
  sentence text NOT NULL,
  observed float8,
  expected float8,
  window_seconds float8,
  decided_at timestamptz(3) NOT NULL
);
CREATE INDEX risk_decisions_project ON risk_decisions (organization_id, project_id, id);

------------------------------------------------------------------------------------------------------------------------------
-- Schedules: jobs that check in, and what their runs came to.
------------------------------------------------------------------------------------------------------------------------------

CREATE TABLE schedules (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  slug text NOT NULL,
  name text NOT NULL,
  cron text,
  interval_seconds integer,
  time_zone text NOT NULL,
  grace_seconds integer NOT NULL,
  max_runtime_seconds integer,
  failure_after integer NOT NULL,
  recover_after integer NOT NULL,
  severity severity NOT NULL,
  -- Events that the job sends as well: their learned heartbeat opens no incident.
  type text,
  source text,
  paused_at timestamptz(3),
  -- SHA-256 of the token in the ping address, which alone allows to check in.
  ping_hash bytea NOT NULL UNIQUE,
  due_at timestamptz(3) NOT NULL,
  -- Runs that have not ended, oldest first, each as {"id", "startMs"}.
  runs jsonb NOT NULL DEFAULT '[]',
  last_check_in_at timestamptz(3),
  last_status text,
  last_duration_ms bigint,
  failures integer NOT NULL DEFAULT 0,
  successes integer NOT NULL DEFAULT 0,
  -- The one of the failure that goes on.
  incident_id uuid,
  -- When the worker looks at it; null: it is paused.
  review_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  -- The access token that made its ping address.
  made_by_token jsonb,
  CHECK ((cron IS NULL) <> (interval_seconds IS NULL)),
  UNIQUE (project_id, slug)
);
CREATE INDEX schedules_project ON schedules (project_id, id);
CREATE INDEX schedules_review ON schedules (review_at) WHERE review_at IS NOT NULL;

-- The newest check-ins of each schedule.
CREATE TABLE check_ins (
  id uuid PRIMARY KEY,
  schedule_id uuid NOT NULL REFERENCES schedules ON DELETE CASCADE,
  project_id uuid NOT NULL,
  status text NOT NULL,
  at timestamptz(3) NOT NULL,
  due_at timestamptz(3),
  duration_ms bigint,
  -- The id that the job gave its run.
  run_id uuid,
  -- The end of what the job sent; null as well once newer ones have one.
  body text
);
CREATE INDEX check_ins_schedule ON check_ins (schedule_id, id);
CREATE INDEX check_ins_project ON check_ins (project_id);

------------------------------------------------------------------------------------------------------------------------------
-- Notifications: where they go (targets), what each of them is sent (routes), the outbox of messages (deliveries), and silences.
------------------------------------------------------------------------------------------------------------------------------

CREATE TABLE notification_targets (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  kind text NOT NULL,
  name text NOT NULL,
  config jsonb NOT NULL,
  -- The secret fields of the configuration, encrypted, with the id of the key; null: there are none.
  secrets text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  -- Null: enabled. A person, or the service after failures, has disabled it.
  disabled_at timestamptz(3),
  disabled_reason text,
  -- The first failure since the last success, and how many attempts have failed since then.
  failing_since timestamptz(3),
  failures integer NOT NULL DEFAULT 0,
  -- Answers in a row that refuse the target as such.
  refusals integer NOT NULL DEFAULT 0,
  last_success_at timestamptz(3),
  last_failure text,
  -- The bucket of its channel: until then it is full (the theoretical arrival time of GCRA).
  bucket_until timestamptz(3),
  -- No attempt before that, as the other side asked for or after a failure.
  blocked_until timestamptz(3),
  -- One worker at a time sends to a target; the lease of one that was killed runs out.
  leased_until timestamptz(3),
  lease_holder uuid,
  -- Null: none.
  quiet_hours jsonb,
  made_by_token jsonb,
  -- Normalized address that the target sends mail to; null: it sends none.
  recipient text
);
CREATE INDEX notification_targets_organization ON notification_targets (organization_id, id);

CREATE TABLE notification_routes (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  target_id uuid NOT NULL REFERENCES notification_targets ON DELETE CASCADE,
  -- Used when the target fails; null: none.
  fallback_target_id uuid REFERENCES notification_targets ON DELETE SET NULL,
  -- Null: all projects.
  project_id uuid,
  min_severity severity NOT NULL,
  changes text[] NOT NULL,
  -- Messages within any seven days; null: no bound.
  max_per_week integer,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  made_by_token jsonb
);
-- Asked for each change of an incident or a group: an organization without routes costs one look into this index.
CREATE INDEX notification_routes_organization ON notification_routes (organization_id, id);
CREATE INDEX notification_routes_target ON notification_routes (target_id);
CREATE INDEX notification_routes_fallback ON notification_routes (fallback_target_id);
CREATE INDEX notification_routes_project ON notification_routes (project_id);

-- One row for each change that a route was asked about, with what each route decided: why a target was notified or not.
CREATE TABLE notification_changes (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  project_id uuid NOT NULL,
  subject_kind text NOT NULL,
  subject_id uuid NOT NULL,
  change text NOT NULL,
  severity severity NOT NULL,
  decisions jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX notification_changes_subject ON notification_changes (organization_id, subject_id, id);
CREATE INDEX notification_changes_project ON notification_changes (project_id);
CREATE INDEX notification_changes_age ON notification_changes (created_at);

-- pending: waits for `due_at`. delivered, failed: done. collapsed: another delivery says it. held: waits for a person.
-- dropped: a person has dropped it, or its target.
CREATE TABLE deliveries (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  -- Null: a digest of several projects.
  project_id uuid,
  target_id uuid NOT NULL REFERENCES notification_targets ON DELETE CASCADE,
  route_id uuid,
  -- The change that it is about; of a digest, its own id.
  change_id uuid NOT NULL,
  subject_kind text NOT NULL,
  subject_id uuid NOT NULL,
  change text NOT NULL,
  severity severity NOT NULL,
  state text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  finished_at timestamptz(3),
  -- The delivery that says it as well.
  collapsed_into uuid,
  -- The target that it stands in for.
  fallback_of uuid,
  is_edit boolean NOT NULL DEFAULT false,
  -- quiet_hours or budget: why `due_at` was put off, and the sentence that says so. Null: it was not.
  deferred_by text,
  deferred_reason text,
  -- Recipients of the target that have the message, while others are still to get it.
  accepted_by uuid[],
  -- The last attempt.
  last_attempt_at timestamptz(3),
  last_status integer,
  last_reason text,
  last_body text,
  last_elapsed_ms integer,
  UNIQUE (target_id, change_id)
);
CREATE INDEX deliveries_pending ON deliveries (target_id, due_at) WHERE state = 'pending';
CREATE INDEX deliveries_log ON deliveries (target_id, id);
-- How many messages a target was sent in the last minutes.
CREATE INDEX deliveries_attempted ON deliveries (target_id, last_attempt_at) WHERE last_attempt_at IS NOT NULL;
CREATE INDEX deliveries_subject ON deliveries (organization_id, subject_id, id);
CREATE INDEX deliveries_held ON deliveries (organization_id) WHERE state = 'held';
CREATE INDEX deliveries_collapsed ON deliveries (collapsed_into) WHERE collapsed_into IS NOT NULL;
CREATE INDEX deliveries_project ON deliveries (project_id);
CREATE INDEX deliveries_age ON deliveries (created_at);

-- The last message to a target about an incident or a group, and how to find it again.
CREATE TABLE notification_threads (
  target_id uuid NOT NULL REFERENCES notification_targets ON DELETE CASCADE,
  subject_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  project_id uuid,
  -- Null: its message cannot be edited.
  remote jsonb,
  -- The message as it stands there.
  severity severity NOT NULL,
  status text NOT NULL,
  first_sent_at timestamptz(3) NOT NULL,
  -- When the last message was sent, or edited.
  sent_at timestamptz(3) NOT NULL,
  PRIMARY KEY (target_id, subject_id)
);
CREATE INDEX notification_threads_project ON notification_threads (project_id);
CREATE INDEX notification_threads_age ON notification_threads (sent_at);

-- Confirmation that an organization may send mail to an address: without it, targets were a way to mail any stranger.
CREATE TABLE mail_recipients (
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  -- Normalized, as addresses of users are.
  address text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- When it was last asked by mail; null: not yet.
  asked_at timestamptz(3),
  -- SHA-256 of the token in the link of that mail, which is valid until `expires_at`.
  hash bytea UNIQUE,
  expires_at timestamptz(3),
  confirmed_at timestamptz(3),
  -- The member who had the address when it was confirmed without a mail: the confirmation ends with the membership.
  member_id uuid REFERENCES users ON DELETE CASCADE,
  PRIMARY KEY (organization_id, address)
);

-- A pair of keys of the installation (RFC 8292). There is one, and another for as long as the key that encrypts it is lost.
CREATE TABLE web_push_keys (
  -- The id of the key that encrypts: two processes that begin at once make one pair.
  encryption_key text PRIMARY KEY,
  public_key text NOT NULL,
  -- Encrypted.
  private_key text NOT NULL,
  created_at timestamptz(3) NOT NULL
);

-- A browser is its user's: what it is sent is decided by the organization that the user belongs to at that time.
CREATE TABLE web_push_browsers (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- SHA-256. The address itself is a secret: its holder may send.
  endpoint_hash bytea NOT NULL UNIQUE,
  -- The address and the keys of the subscription, encrypted.
  subscription text NOT NULL,
  -- The pair of keys that it was made with.
  encryption_key text NOT NULL REFERENCES web_push_keys,
  -- The one of the push service.
  host text NOT NULL,
  user_agent text,
  created_at timestamptz(3) NOT NULL,
  -- The login that it belongs to; null: that one has ended.
  session_id uuid REFERENCES sessions ON DELETE SET NULL,
  -- Its login has ended by its age alone, which does not end notifications.
  outlives_session boolean NOT NULL DEFAULT false,
  last_success_at timestamptz(3),
  failing_since timestamptz(3),
  last_failure text
);
CREATE INDEX web_push_browsers_user ON web_push_browsers (user_id, id);
CREATE INDEX web_push_browsers_session ON web_push_browsers (session_id) WHERE session_id IS NOT NULL;

-- Silences: for how long nothing is sent about what.
CREATE TABLE silences (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  -- Null: all projects. The following fields: null is any value.
  project_id uuid,
  type text,
  source text,
  severity severity,
  group_id uuid,
  schedule_id uuid,
  correlation_key text,
  correlation_value text,
  reason text,
  -- The user may be deleted by now.
  created_by uuid NOT NULL,
  starts_at timestamptz(3) NOT NULL,
  until timestamptz(3) NOT NULL,
  -- When a person has ended it before its time.
  ended_at timestamptz(3),
  ended_by uuid,
  -- When the worker has sent what was still open at its end; from then on it covers nothing.
  settled_at timestamptz(3),
  -- False: detection learns nothing while it lasts.
  learn boolean NOT NULL DEFAULT true,
  CHECK ((correlation_key IS NULL) = (correlation_value IS NULL))
);
-- Asked for each change that is notified: an organization without silences costs one look into this index.
CREATE INDEX silences_unsettled ON silences (organization_id, until) WHERE settled_at IS NULL;
CREATE INDEX silences_ended ON silences (least(until, ended_at)) WHERE settled_at IS NULL;
-- Asked by each round of the detection, and almost always empty.
CREATE INDEX silences_unlearned ON silences (least(until, ended_at)) WHERE NOT learn;
CREATE INDEX silences_organization ON silences (organization_id, id);
CREATE INDEX silences_project ON silences (project_id);
CREATE INDEX silences_age ON silences (settled_at);

-- The incidents and groups that a silence has covered, each once.
CREATE TABLE silence_matches (
  silence_id uuid NOT NULL REFERENCES silences ON DELETE CASCADE,
  subject_id uuid NOT NULL,
  project_id uuid NOT NULL,
  matched_at timestamptz(3) NOT NULL,
  PRIMARY KEY (silence_id, subject_id)
);
CREATE INDEX silence_matches_project ON silence_matches (project_id);

------------------------------------------------------------------------------------------------------------------------------
-- Live updates: what dashboards that are open at this moment show.
------------------------------------------------------------------------------------------------------------------------------

-- The organizations that users watch live (renewed by their watchers), and the samples for them.
-- Losing these in a crash loses nothing: watchers read the list again.
CREATE UNLOGGED TABLE live_tail_watchers (
  organization_id uuid NOT NULL,
  watcher_id uuid NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, watcher_id)
);
CREATE UNLOGGED TABLE live_tail (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  events jsonb NOT NULL,
  omitted integer NOT NULL
);

-- Changes of groups, releases and deploys.
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
