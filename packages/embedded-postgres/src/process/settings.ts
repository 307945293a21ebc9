import { PORT } from '../data-directory/connection-file.ts';

/** Every start sets all of them again, so that an older cluster gets the settings of a newer version. */
const DEFAULT_SETTINGS: Record<string, string> = {
  // Acknowledged data is on the disk.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',

  // One machine without a replica: the log is written for crash recovery alone.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  max_wal_size: '2GB',
  // Each commit writes its own log; data that does not wait for it is on the disk within three of these.
  wal_writer_delay: '1s',
  checkpoint_completion_target: '0.9',

  shared_buffers: '128MB',
  max_connections: '100',
  // Short statements all day long: compiling them costs more than it gains.
  jit: 'off',
  // The queue's table must be vacuumed often.
  autovacuum_naptime: '10s',
  timezone: 'UTC',

  log_destination: 'stderr',
  logging_collector: 'off',
  log_line_prefix: '',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // Statements and the values in them are users' data: they stay out of the log.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_statement: 'none',
};

/** A setting known to us alone, by which the command line of a postmaster shows its owner; never the last one. */
export const OWNER_SETTING = 'tocsin.cluster';

export function settingArguments(
  cluster: string,
  socketDirectory: string,
  overrides: Record<string, string>,
): string[] {
  const settings = {
    [OWNER_SETTING]: cluster,
    ...DEFAULT_SETTINGS,
    ...overrides,
    listen_addresses: '',
    port: String(PORT),
    unix_socket_directories: `"${socketDirectory.replaceAll('"', '""')}"`,
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
