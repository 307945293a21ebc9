/**
 * Tables that a backup contains, in the order in which they can be filled: referenced ones come first. A test fails
 * when a migration adds a table that is on neither of these two lists.
 */
export const BACKED_UP_TABLES = [
  'settings',
  'users',
  'organizations',
  'members',
  'totp_factors',
  'totp_recovery_codes',
  'sessions',
  'web_push_keys',
  'web_push_browsers',
  'access_tokens',
  'notices',
  'invitations',
  'audit_log',
  'projects',
  'environments',
  'api_keys',
  'hooks',
  'revoked_keys',
  'quotas',
  'queue',
  'claims',
  'dead_letters',
  'erasures',
  'ledgers',
  'unstored_items',
  'scrubbed_values',
  'events',
  'archive_state',
  'archive_blocks',
  'archive_deletions',
  'sampled_events',
  'event_counts',
  'field_counts',
  // A trigger of groups adds the missing ones.
  'group_texts',
  'groups',
  'group_fingerprints',
  'group_numbers',
  'group_users',
  'group_minutes',
  'group_hours',
  'group_releases',
  'group_history',
  'releases',
  'deploys',
  'source_maps',
  'source_map_pieces',
  'source_map_bundles',
  'schedules',
  'check_ins',
  'incidents',
  'incident_timeline',
  'alert_groups',
  'notification_targets',
  'mail_recipients',
  'notification_routes',
  'notification_changes',
  'deliveries',
  'notification_threads',
  'silences',
  'silence_matches',
  'risk_inbox',
  'risk_state',
  'risk_rebuilds',
  'risk_rounds',
  'risk_progress',
  'risk_settings',
  'risk_decisions',
  'risk_excluded_projects',
  'risk_late_sources',
  'intake_presence',
] as const;

/** Tables that a backup leaves empty on demand: a build can upload them again. */
export const SOURCE_MAP_TABLES = ['source_maps', 'source_map_pieces', 'source_map_bundles'] as const;

/** Tables that a backup leaves out, because nothing is lost with them. */
export const TRANSIENT_TABLES = [
  // The failed logins of the last minutes.
  'login_failures',
  // The budgets of the present windows of time, and what they refused.
  'quota_windows',
  // Read minutes later, by the deploy of the release.
  'named_releases',
  // Read minutes later, when they are assembled.
  'upload_chunks',
  // Requests of the last 24 hours.
  'request_counts',
  'request_samples',
  // Valid for 30 minutes.
  'recovery_links',
  // For the current live viewers, who read the lists again.
  'live_tail_watchers',
  'live_tail',
  'incident_frames',
  'live_updates',
  // Copies of counts, which maintenance makes again.
  'rolled_hours',
  'stale_hours',
  'event_hours',
  'fingerprint_hours',
  'group_recent_hours',
  // Counted by triggers of incidents, in a restore as well.
  'resolved_incidents',
  // The leaders of the moment, for some seconds.
  'leases',
  // Written by the migrations that a restore applies.
  'schema_migrations',
] as const;
