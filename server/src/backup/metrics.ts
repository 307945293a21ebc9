import { Gauge, type Registry } from 'prom-client';

/** Metrics of backups. */
export interface BackupMetrics {
  backupAgeSeconds: Gauge;
}

export function createBackupMetrics(registers: Registry[]): BackupMetrics {
  return {
    backupAgeSeconds: new Gauge({
      name: 'tocsin_backup_age_seconds',
      help: 'Time since the last backup by `tocsin backup`; +Inf: there was none',
      registers,
    }),
  };
}
