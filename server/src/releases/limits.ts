export const MAX_RELEASE_LENGTH = 128;
