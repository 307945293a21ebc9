/*
 * Tests that replace what all files of a worker process share: timers, the environment, functions of globals and
 * classes, modules. Each runs in a process of its own; server/test/static/test-conventions.test.ts finds others.
 */
export const ISOLATED_TESTS = [
  'bench/support/held.test.ts',
  'dashboard/src/lib/api.test.ts',
  'dashboard/src/lib/realtime.test.ts',
  'dashboard/src/lib/throttle.test.ts',
  'packages/embedded-postgres/src/cluster/binaries.test.ts',
  'packages/embedded-postgres/src/embedded-postgres.test.ts',
  'packages/embedded-postgres/src/supervisor.test.ts',
  'sdk/test/losses.test.ts',
  'server/src/cli/risk.test.ts',
  'server/src/http/close-gracefully.test.ts',
  'server/src/platform/loop.test.ts',
  'server/src/platform/outage-log.test.ts',
  'server/src/platform/shutdown.test.ts',
  'server/src/risk/live/round.test.ts',
  'server/test/body-bombs.test.ts',
  'server/test/sdk.test.ts',
];
