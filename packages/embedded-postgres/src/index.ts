/*
 * The public interface: nothing else of this package is for others.
 */
export { findFormerPackage, findPackage } from './cluster/package.ts';
export type { CopyDatabase } from './cluster/upgrade.ts';
export { layOut, readClusterVersion } from './data-directory/data-directory.ts';
export { FreeSpace } from './data-directory/free-space.ts';
export { findRunningPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
export { findHolder } from './lock/find-holder.ts';
export type { EmbeddedPostgres, EmbeddedPostgresOptions } from './options.ts';
export { EmbeddedPostgresError } from './platform/errors.ts';
export { Supervisor } from './supervisor.ts';
