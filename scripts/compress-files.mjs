import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Quality of Brotli: the highest takes far longer for little gain. */
const BROTLI_QUALITY = 9;

/**
 * Writes `.br` and `.gz` beside each script of a directory: the service then compresses nothing at run time.
 * @param {string} directory
 */
export function compressFiles(directory) {
  for (const name of readdirSync(directory).filter((file) => file.endsWith('.js'))) {
    const file = path.join(directory, name);
    const bytes = readFileSync(file);
    const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

const [, program, directory] = process.argv;
if (directory !== undefined && program?.endsWith('compress-files.mjs')) compressFiles(directory);
