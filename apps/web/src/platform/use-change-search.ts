import { useNavigate } from '@tanstack/react-router';
import { compact, type Change } from './list-search.ts';

/** Changes what the address says about a list. Any other change starts at the first page again. */
export function useChangeSearch<S extends object>(): (change: Change<S & { page?: number }>) => void {
  const navigate = useNavigate();
  return (change) =>
    void navigate({ to: '.', search: (old) => compact({ ...old, page: undefined, ...change }) as never });
}
