import type { TestProject, Vitest } from 'vitest/node';
import { buildSdk } from '../../../server/test/support/build-sdk.ts';
import findChromium from './find-chromium.ts';

/** Makes ready what pages are tested with, where the run tests any: a Chromium is installed for no other. */
export default async function setUp(project: TestProject): Promise<void> {
  const { testFiles } = await project.globTestFiles(filtersOf(project.vitest));
  if (!testFiles.some((file) => file.includes('/dashboard/test/'))) return;
  await buildSdk();
  findChromium(project);
}

/** Names of files on the command line; a version of Vitest that keeps them elsewhere makes every run one of all files. */
function filtersOf(vitest: Vitest & { filenamePattern?: string[] }): string[] | undefined {
  return vitest.filenamePattern?.map((filter) => filter.replace(/:\d+$/, ''));
}
