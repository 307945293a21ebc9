import { useNavigate, useSearch } from '@tanstack/react-router';
import { type GroupSearch, readGroupSearch } from '../../../lib/search/group-search.ts';

export type ChangeGroupSearch = (changes: GroupSearch, how?: { replace?: boolean }) => void;

/** Changes that clear all filters but the state. */
export const NO_FILTERS: GroupSearch = {
  is: undefined,
  severity: undefined,
  assignee: undefined,
  release: undefined,
  environment: undefined,
  source: undefined,
  type: undefined,
  q: undefined,
};

export function isFiltered(search: GroupSearch): boolean {
  return Object.keys(NO_FILTERS).some((name) => search[name as keyof GroupSearch] !== undefined);
}

/** The filters in the address, and how to change them; `undefined` removes one. */
export function useGroupSearch(): [GroupSearch, ChangeGroupSearch] {
  const search = readGroupSearch(useSearch({ strict: false }));
  const navigate = useNavigate({ from: '/groups' });
  const change: ChangeGroupSearch = (changes, { replace = false } = {}) =>
    void navigate({
      search: (previous) => ({ ...previous, ...changes }),
      replace,
      resetScroll: false,
    });
  return [search, change];
}
