import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { NullJob, NullResult } from './null-project.ts';

const WORKER = new URL(`./null-worker${path.extname(import.meta.url)}`, import.meta.url);

/**
 * Runs projects, so many at a time.
 * @returns the results in the order of the jobs
 */
export async function runNullProjects(jobs: NullJob[], threads: number): Promise<NullResult[]> {
  const results: NullResult[] = [];
  const queue = jobs.entries();
  await Promise.all(
    Array.from({ length: threads }, async () => {
      // Each takes the next job of the one iterator.
      for (const [index, job] of queue) results[index] = await runInThread(job);
    }),
  );
  return results;
}

function runInThread(job: NullJob): Promise<NullResult> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(WORKER, { workerData: job });
    worker.once('message', (result: NullResult) => resolve(result));
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`The thread of a project ended early, with ${code}.`)));
  });
}
