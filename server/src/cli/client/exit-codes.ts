/** Exit codes of the client commands; 1 is everything else, also a wrong argument. */
export const EXIT_CODES = {
  /** No token, or one that is not valid or lacks the right. */
  unauthenticated: 3,
  notFound: 4,
  /** The server cannot be reached, or cannot answer now. */
  unreachable: 5,
} as const;

const EXIT_CODES_HELP = `
Exit codes: 0 done; 1 refused or a wrong argument; 3 no valid token, or one that may not do this; 4 not found;
5 the server cannot be reached or cannot answer now.`;

/** Formats the end of a command's help. */
export function helpWith(...examples: string[]): string {
  return [EXIT_CODES_HELP, '', 'Examples:', ...examples.map((example) => `  $ ${example}`)].join('\n');
}
