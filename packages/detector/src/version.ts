/**
 * The version of the detector. Raise it with every change of what the same counts lead to, or of what is saved: a round
 * that another version has written is not applied, since it would lead to something else than what was decided then.
 */
export const DETECTOR_VERSION = 1;
