import { type Logger, pino } from 'pino';

export type Log = Logger;

/** JSON lines on standard output. What could hold a secret is never passed in; the paths below are a second net. */
export function createLog(level: string, destination?: pino.DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: [
          'password',
          'cookie',
          'apiKey',
          'rawKey',
          'secret',
          'token',
          '*.password',
          '*.cookie',
          '*.apiKey',
        ],
        censor: '[redacted]',
      },
    },
    destination ?? pino.destination({ dest: 1, sync: true }),
  );
}

/** What helps, and nothing more: the database driver hangs whole connections onto its errors. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? error.code : undefined;
  return { name, code, message, stack, ...(cause !== undefined && { cause: describeError(cause) }) };
}
