/** Returns the anchor of a section in addresses, from its title: "access-tokens". */
export const anchorOf = (title: string): string => title.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-');
