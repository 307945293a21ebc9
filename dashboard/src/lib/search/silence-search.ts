export const SILENCE_STATES = ['active', 'ended', 'all'] as const;
type SilenceState = (typeof SILENCE_STATES)[number];

/** Parameters of the silences page besides the project. */
export interface SilenceSearch {
  /** Default: active. */
  state?: SilenceState | undefined;
  /** True if the dialog is open. */
  create?: true | undefined;
}

export function readSilenceSearch({ state, create }: Record<string, unknown>): SilenceSearch {
  return {
    state: SILENCE_STATES.find((known) => known === state),
    create: create === true || undefined,
  };
}
