/** Escapes markup in texts of people and applications. */
export function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\*_[\]<>#|~`]/g, String.raw`\$&`);
}
