interface Write {
  (message: string): void;
  (fields: object, message: string): void;
}

/** Where lines with fields go; a logger of pino is one. */
export interface Log {
  warn: Write;
  error: Write;
  fatal: Write;
}
