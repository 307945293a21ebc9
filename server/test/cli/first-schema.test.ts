import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { migrate } from '../../src/database/migrate.ts';
import { readMigrations } from '../../src/database/migrations.ts';
import { readCatalogue } from '../support/catalogue.ts';
import { createNewDatabase, openDatabase } from './support.ts';

/**
 * The catalogue of a database that all 49 migrations before 0.2.0 made (0001_accounts to 0052_target_addresses, commit
 * a4921562), as `readCatalogue` read it from the embedded PostgreSQL 18. It never changes.
 */
const BEFORE = new URL('schema-before-first-release.json', import.meta.url);

const ONE_TABLE = 'event_hours has the sums of organizations and projects as scopes';
const ONE_WRITER = 'the worker writes copies of counts by the hour, in place of triggers';
const RENAMED_KINDS = 'kinds are called errors in the inbox, and fingerprints in lists of hours';
const RENAMED_EXCLUSIONS = 'risk_set_aside is called risk_excluded_projects';
const SCRUBBING = 'secrets are replaced before they are stored';
const REBUILDS = 'projects whose detector is rebuilt from their counts are queued';
const PREFIXES = 'the keys of groups of two projects differ';
const DSN = 'the number of a project is in its DSN';
const ENVIRONMENTS = 'events name their environment';
const ERASURES = 'users and other values of correlations are erased';
const ALERTS = 'alerts of other systems open incidents';
const PAYMENTS = 'the amounts of failed payments are added up';
const NAMED_RELEASES = 'Sentry’s command line names releases before their deploys';
const RETENTION = 'projects keep events of a severity for less time';
const SOURCE_MAPS = 'tools of bundlers upload source maps';
const ON_DISK = 'events wait on disk while the database is lost';
const UNSTORED = 'what clients of Sentry send beside events is counted';
const HOOKS = 'other services send signed requests';
const PINGS = 'jobs check in by the pings of other systems';
const NOTICES = 'the service itself finds that an environment is not watched';
const DEAD_LETTERS = 'dead letters are listed, and stored after all';
const REQUESTS = 'requests are counted and shown by project';
const QUOTAS = 'projects and keys have quotas';
const SAMPLES = 'storms are kept as samples';
const FIELDS = 'rules may ask for a field of the payload';
const FORMER_ADDRESSES = 'the confirmation of a former address of a member ends with the membership';
const WRITTEN_ALWAYS = 'null stood for rows of a program that did not write it';

/** Parts of the schema that differ from then, each a path or its beginning, with the reason. */
const DIFFERENCES: Record<string, string> = {
  'columns.alert_groups': ALERTS,
  'columns.api_keys.browser': 'keys that stand in pages have limits of their own',
  'columns.api_keys.use': PINGS,
  'columns.check_ins.body': PINGS,
  'columns.check_ins.run_id': PINGS,
  'columns.dead_letters.events': DEAD_LETTERS,
  'columns.dead_letters.kind': DEAD_LETTERS,
  'columns.dead_letters.title': DEAD_LETTERS,
  'columns.environments': ENVIRONMENTS,
  'columns.erasures': ERASURES,
  'columns.event_counts.alerts': ALERTS,
  'columns.event_counts.environment': ENVIRONMENTS,
  'columns.event_hours.environment': ENVIRONMENTS,
  'columns.event_hours.is_expired': RETENTION,
  'columns.event_hours.project_id': ONE_TABLE,
  'columns.event_hours.scope': ONE_TABLE,
  'columns.event_hours.type': ONE_TABLE,
  'columns.events.amount': PAYMENTS,
  'columns.events.changed': 'intakes of other protocols shorten and correct events',
  'columns.events.currency': PAYMENTS,
  'columns.events.environment': ENVIRONMENTS,
  'columns.events.fingerprint_version': 'null stood for the algorithm of a program that is gone',
  'columns.events.is_alert': ALERTS,
  'columns.events.scrubbed': SCRUBBING,
  'columns.events.weight': SAMPLES,
  'columns.field_counts': FIELDS,
  'columns.fingerprint_hours': RENAMED_KINDS,
  'columns.group_texts.culprit_frames': SOURCE_MAPS,
  'columns.groups.environments': ENVIRONMENTS,
  'columns.groups.is_watched': ENVIRONMENTS,
  'columns.groups.sampled_hour': SAMPLES,
  'columns.groups.sampled_unwatched': SAMPLES,
  'columns.groups.sampled_watched': SAMPLES,
  'columns.hooks': HOOKS,
  'columns.incidents.links': ALERTS,
  'columns.incidents.title_origin': WRITTEN_ALWAYS,
  'columns.intake_presence.on_disk': ON_DISK,
  'columns.kind_hours': RENAMED_KINDS,
  'columns.ledgers.erased': ERASURES,
  'columns.ledgers.expired': RETENTION,
  'columns.ledgers.sampled': SAMPLES,
  'columns.mail_recipients.grace_until': 'addresses from before confirmations',
  'columns.mail_recipients.member_id': FORMER_ADDRESSES,
  'columns.named_releases': NAMED_RELEASES,
  'columns.notices.actor_id': NOTICES,
  'columns.notices.actor_name': NOTICES,
  'columns.notices.environment': NOTICES,
  'columns.notices.project_id': NOTICES,
  'columns.notices.project_name': NOTICES,
  'columns.organization_hours': ONE_TABLE,
  'columns.project_hours': ONE_TABLE,
  'columns.projects.counted_fields': FIELDS,
  'columns.projects.former_prefixes': PREFIXES,
  'columns.projects.group_prefix': PREFIXES,
  'columns.projects.number': DSN,
  'columns.projects.retention': RETENTION,
  'columns.projects.sample_above': SAMPLES,
  'columns.projects.scrubbing': SCRUBBING,
  'columns.queue.is_spooled': ON_DISK,
  'columns.quota_windows': QUOTAS,
  'columns.quotas': QUOTAS,
  'columns.recovery_links.email': 'users change their email addresses',
  'columns.request_counts': REQUESTS,
  'columns.request_samples': REQUESTS,
  'columns.revoked_keys': REQUESTS,
  'columns.risk_excluded_projects': RENAMED_EXCLUSIONS,
  'columns.risk_inbox.entries': WRITTEN_ALWAYS,
  'columns.risk_inbox.errors': RENAMED_KINDS,
  'columns.risk_inbox.from_ms': WRITTEN_ALWAYS,
  'columns.risk_inbox.kinds': RENAMED_KINDS,
  'columns.risk_rebuilds': REBUILDS,
  'columns.risk_set_aside': RENAMED_EXCLUSIONS,
  'columns.risk_state.active_ms': WRITTEN_ALWAYS,
  'columns.risk_state.round': WRITTEN_ALWAYS,
  'columns.risk_state.series': WRITTEN_ALWAYS,
  'columns.risk_state.time_ms': WRITTEN_ALWAYS,
  'columns.sampled_events': SAMPLES,
  'columns.schedules.runs': PINGS,
  'columns.schedules.started_at': PINGS,
  'columns.scrubbed_values': SCRUBBING,
  'columns.silences.schedule_id': 'a silence may be about one scheduled job',
  'columns.source_map_bundles': SOURCE_MAPS,
  'columns.source_map_pieces': SOURCE_MAPS,
  'columns.source_maps': SOURCE_MAPS,
  'columns.unstored_items': UNSTORED,
  'columns.upload_chunks': SOURCE_MAPS,
  'constraints.alert_groups': ALERTS,
  'constraints.api_keys.api_keys_check': PINGS,
  'constraints.dead_letters': DEAD_LETTERS,
  'constraints.environments': ENVIRONMENTS,
  'constraints.erasures': ERASURES,
  'constraints.event_counts': ENVIRONMENTS,
  'constraints.event_hours': ONE_TABLE,
  'constraints.field_counts': FIELDS,
  'constraints.fingerprint_hours': RENAMED_KINDS,
  'constraints.hooks': HOOKS,
  'constraints.kind_hours': RENAMED_KINDS,
  'constraints.mail_recipients.mail_recipients_member_id_fkey': FORMER_ADDRESSES,
  'constraints.named_releases': NAMED_RELEASES,
  'constraints.organization_hours': ONE_TABLE,
  'constraints.project_hours': ONE_TABLE,
  'constraints.quota_windows': QUOTAS,
  'constraints.quotas': QUOTAS,
  'constraints.request_counts': REQUESTS,
  'constraints.request_samples': REQUESTS,
  'constraints.revoked_keys': REQUESTS,
  'constraints.risk_excluded_projects': RENAMED_EXCLUSIONS,
  'constraints.risk_rebuilds': REBUILDS,
  'constraints.risk_set_aside': RENAMED_EXCLUSIONS,
  'constraints.scrubbed_values': SCRUBBING,
  'constraints.source_map_bundles': SOURCE_MAPS,
  'constraints.source_map_pieces': SOURCE_MAPS,
  'constraints.source_maps': SOURCE_MAPS,
  'constraints.unstored_items': UNSTORED,
  'constraints.upload_chunks': SOURCE_MAPS,
  'enums.hour_scope': ONE_TABLE,
  'enums.incident_origin': ALERTS,
  'functions.add_organization_hours': ONE_WRITER,
  'functions.add_project_hours': ONE_WRITER,
  'functions.is_failed_payment': 'the rule for events whose program did not mark payments',
  'functions.list_kinds_of_hours': ONE_WRITER,
  'functions.list_kinds_without_deleted': ONE_WRITER,
  'functions.list_largest_kinds': ONE_WRITER,
  'functions.mark_stale_hour': ONE_WRITER,
  'functions.subtract_organization_hours': ONE_WRITER,
  'functions.subtract_project_hours': ONE_WRITER,
  'indexes.alert_groups': ALERTS,
  'indexes.api_keys.api_keys_prefix': REQUESTS,
  'indexes.dead_letters': DEAD_LETTERS,
  'indexes.environments': ENVIRONMENTS,
  'indexes.erasures': ERASURES,
  'indexes.event_counts': ENVIRONMENTS,
  'indexes.event_hours': ONE_TABLE,
  'indexes.events.events_correlation_values': 'values of correlations are found by organization',
  'indexes.events.events_failed_payments': PAYMENTS,
  'indexes.field_counts': FIELDS,
  'indexes.fingerprint_hours': RENAMED_KINDS,
  'indexes.hooks': HOOKS,
  'indexes.kind_hours': RENAMED_KINDS,
  'indexes.named_releases': NAMED_RELEASES,
  'indexes.notices.notices_project': NOTICES,
  'indexes.organization_hours': ONE_TABLE,
  'indexes.project_hours': ONE_TABLE,
  'indexes.projects.projects_group_prefix': PREFIXES,
  'indexes.projects.projects_number': REQUESTS,
  'indexes.projects.projects_retention': RETENTION,
  'indexes.projects.projects_scrubbing': SCRUBBING,
  'indexes.quota_windows': QUOTAS,
  'indexes.quotas': QUOTAS,
  'indexes.request_counts': REQUESTS,
  'indexes.request_samples': REQUESTS,
  'indexes.revoked_keys': REQUESTS,
  'indexes.risk_excluded_projects': RENAMED_EXCLUSIONS,
  'indexes.risk_rebuilds': REBUILDS,
  'indexes.risk_set_aside': RENAMED_EXCLUSIONS,
  'indexes.sampled_events': SAMPLES,
  'indexes.scrubbed_values': SCRUBBING,
  'indexes.source_map_bundles': SOURCE_MAPS,
  'indexes.source_map_pieces': SOURCE_MAPS,
  'indexes.source_maps': SOURCE_MAPS,
  'indexes.unstored_items': UNSTORED,
  'indexes.upload_chunks': SOURCE_MAPS,
  'tables.alert_groups': ALERTS,
  'tables.environments': ENVIRONMENTS,
  'tables.erasures': ERASURES,
  'tables.event_hours': ONE_TABLE,
  'tables.field_counts': FIELDS,
  'tables.fingerprint_hours': RENAMED_KINDS,
  'tables.hooks': HOOKS,
  'tables.kind_hours': RENAMED_KINDS,
  'tables.named_releases': NAMED_RELEASES,
  'tables.organization_hours': ONE_TABLE,
  'tables.project_hours': ONE_TABLE,
  'tables.quota_windows': QUOTAS,
  'tables.quotas': QUOTAS,
  'tables.request_counts': REQUESTS,
  'tables.request_samples': REQUESTS,
  'tables.revoked_keys': REQUESTS,
  'tables.risk_excluded_projects': RENAMED_EXCLUSIONS,
  'tables.risk_rebuilds': REBUILDS,
  'tables.risk_set_aside': RENAMED_EXCLUSIONS,
  'tables.sampled_events': SAMPLES,
  'tables.scrubbed_values': SCRUBBING,
  'tables.source_map_bundles': SOURCE_MAPS,
  'tables.source_map_pieces': SOURCE_MAPS,
  'tables.source_maps': SOURCE_MAPS,
  'tables.unstored_items': UNSTORED,
  'tables.upload_chunks': SOURCE_MAPS,
  'triggers.event_counts': ONE_WRITER,
  'triggers.event_hours': ONE_WRITER,
};

function flatten(part: object, prefix = ''): [path: string, value: string][] {
  return Object.entries(part).flatMap(([name, value]) =>
    typeof value === 'string' ? [[`${prefix}${name}`, value]] : flatten(value, `${prefix}${name}.`),
  );
}

it('makes with one migration the schema and rows that all migrations before 0.2.0 made, but for a written list', async () => {
  const { pool } = openDatabase(await createNewDatabase());
  await migrate(pool, (await readMigrations()).slice(0, 1));
  const now = new Map(flatten(await readCatalogue(pool)));
  const before = new Map(flatten(JSON.parse(await readFile(BEFORE, 'utf8'))));
  const paths = [...new Set([...now.keys(), ...before.keys()])].toSorted();
  expect(paths.length).toBeGreaterThan(900);
  const listed = Object.keys(DIFFERENCES);
  const different = paths
    .filter((path) => now.get(path) !== before.get(path))
    .map((path) => listed.find((key) => path === key || path.startsWith(`${key}.`)) ?? path);
  expect([...new Set(different)]).toEqual(listed);
});
