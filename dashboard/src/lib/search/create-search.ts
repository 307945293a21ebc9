/** Parameter of a page with one kind of thing to make. */
interface CreateSearch {
  /** True if the form of a new one is open. */
  create?: true | undefined;
}

export const readCreateSearch = ({ create }: Record<string, unknown>): CreateSearch => ({
  create: create === true || undefined,
});
