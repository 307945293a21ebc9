import { installMissing, run } from './install.mjs';

/* Runs the clients of other systems against the service, and records what they send: clients/README.md. */
installMissing();
run('vitest', ['run', '--config', 'server/test/integrations/vitest.config.ts', ...process.argv.slice(2)]);
