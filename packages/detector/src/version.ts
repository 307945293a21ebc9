/**
 * The version of the detector. Raise it with every change of what the same counts lead to, or of what is saved: states and
 * rounds that another version has written are not read, and the stored counts of each project are replayed.
 */
export const DETECTOR_VERSION = 4;
