interface Write {
  (message: string): void;
  (fields: object, message: string): void;
}

/** Destination of lines with fields; a logger of pino is one. */
export interface Log {
  warn: Write;
  error: Write;
  fatal: Write;
}
