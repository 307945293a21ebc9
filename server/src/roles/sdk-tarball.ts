import { readFile } from 'node:fs/promises';
import type { HttpApp } from '../http/http-app.ts';
import { servePrepared } from '../http/prepared-answers.ts';

/** The client library as the build packs it, beside the server in the repository. */
const TARBALL = new URL('../../../sdk/dist/sdk.tgz', import.meta.url);

/** Serves the client library for `npm install https://…/sdk.tgz`. */
export function registerSdkTarball(app: HttpApp): void {
  servePrepared(app, '/sdk.tgz', {
    type: 'application/gzip',
    maxAgeSeconds: 300,
    load: async () => ({ identity: await readFile(TARBALL) }),
  });
}
