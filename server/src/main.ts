import { createProgram } from './command-line/program.ts';
import { runProgram } from './command-line/run-program.ts';

await runProgram(createProgram(process.env), process.argv);
