import { useNavigate } from '@tanstack/react-router';
import { compact, type Change } from './list-search.ts';

/** Changes a list's URL parameters. Any change except of the page itself resets the page to the first. */
export function useChangeSearch<S extends object>(): (change: Change<S & { page?: number }>) => void {
  const navigate = useNavigate();
  return (change) =>
    void navigate({ to: '.', search: (old) => compact({ ...old, page: undefined, ...change }) as never });
}
