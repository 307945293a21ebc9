/** Texts of the page about what a project keeps and takes. */
export const texts = {
  title: 'Data and limits',
  back: 'Back to project',
  scrubbing: {
    title: 'Secrets',
    hint: 'Secrets in events are replaced with “[Filtered]” before they are stored. Changes apply to new events after a few seconds.',
    further: 'Additional secret fields',
    furtherHint: 'Separate names with commas. “tax id” also matches tax_id and customerTaxId.',
    save: 'Apply',
    saved: 'Saved',
  },
};
