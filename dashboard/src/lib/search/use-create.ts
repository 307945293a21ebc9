import { useNavigate, useSearch } from '@tanstack/react-router';
import { readCreateSearch } from './create-search.ts';

/** Returns whether the address opens the form of something new, and a function that opens or closes it there. */
export function useCreate(): [isOpen: boolean, setOpen: (open: boolean) => void] {
  const { create = false } = readCreateSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const setOpen = (open: boolean) =>
    void navigate({
      to: '.',
      search: (previous) => ({ ...previous, create: open || undefined }),
      replace: true,
      resetScroll: false,
    });
  return [create, setOpen];
}
