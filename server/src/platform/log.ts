import { type Logger, pino } from 'pino';
import type { Clock } from './clock.ts';
import { fileOf, LogDestination } from './log-destination.ts';

export type Log = Logger;

/**
 * Creates a log of JSON lines. Values that could contain a secret are never passed in; the paths below are a second
 * net.
 */
export function createLog(level: string, destination: pino.DestinationStream = process.stdout): Log {
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
    destination,
  );
}

/**
 * Opens standard output for a process that must outlive its log: neither a full disk nor a reader that is gone or
 * stalled ends or stops it. The remaining lines are written when the process ends.
 */
export function openStandardOutput(clock: Clock): LogDestination {
  // Opening the stream makes a pipe one that never blocks: a blocked write would hold up even the exit.
  // Nothing is written to the streams, but a library may, and an error without a listener ends the process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const destination = new LogDestination(fileOf(1), {
    describeLoss: (linesLost) =>
      `${JSON.stringify({ level: 'warn', time: new Date(clock.now()).toISOString(), linesLost, msg: 'log lines were lost: standard output took no more' })}\n`,
  });
  process.on('exit', () => destination.flushAtExit());
  return destination;
}

/** Only the helpful fields: the database driver attaches whole connections to its errors. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? error.code : undefined;
  return { name, code, message, stack, ...(cause !== undefined && { cause: describeError(cause) }) };
}
