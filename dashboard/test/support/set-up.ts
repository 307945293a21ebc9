import type { TestProject, Vitest } from 'vitest/node';
import findChromium from './find-chromium.ts';

/** Prepares a Chromium if the run has tests of pages. */
export default async function setUp(project: TestProject): Promise<void> {
  const { testFiles } = await project.globTestFiles(filtersOf(project.vitest));
  if (!testFiles.some((file) => file.includes('/dashboard/test/'))) return;
  findChromium(project);
}

/** Returns the names of files on the command line; undefined, which means all files, if Vitest keeps them elsewhere. */
function filtersOf(vitest: Vitest & { filenamePattern?: string[] }): string[] | undefined {
  return vitest.filenamePattern?.map((filter) => filter.replace(/:\d+$/, ''));
}
