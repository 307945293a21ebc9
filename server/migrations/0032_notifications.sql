-- min_program: 7
-- Where notifications go (targets), what each of them is sent (routes), and the outbox of messages (deliveries).

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
  lease_holder uuid
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
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
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
  -- Of the last attempt.
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

-- What a target was sent last about an incident or a group, and how to find that message again.
CREATE TABLE notification_threads (
  target_id uuid NOT NULL REFERENCES notification_targets ON DELETE CASCADE,
  subject_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  project_id uuid,
  -- Null: its message cannot be edited.
  remote jsonb,
  -- Of the message as it stands there.
  severity severity NOT NULL,
  status text NOT NULL,
  first_sent_at timestamptz(3) NOT NULL,
  -- Of the last message, or edit.
  sent_at timestamptz(3) NOT NULL,
  PRIMARY KEY (target_id, subject_id)
);
CREATE INDEX notification_threads_project ON notification_threads (project_id);
CREATE INDEX notification_threads_age ON notification_threads (sent_at);
