import { findDescriptorShortage } from './platform/file-descriptors.ts';

// With too few of them the modules of the service could not even be read.
const shortage = process.argv[2] === 'start' ? findDescriptorShortage() : null;
if (shortage === null) {
  const { createProgram } = await import('./cli/program.ts');
  const { runProgram } = await import('./cli/run-program.ts');
  await runProgram(await createProgram(process.env, process.argv[2]), process.argv);
} else {
  process.stderr.write(`${shortage}\n`);
  process.exitCode = 1;
}
