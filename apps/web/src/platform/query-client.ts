import { QueryClient } from '@tanstack/react-query';
import { isProblem } from './problem.ts';

const day = 24 * 60 * 60 * 1000;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      gcTime: day,
      staleTime: 5_000,
      // Reads try again twice, and only where trying again can help.
      retry: (count, error) => count < 2 && mayRecover(error),
      retryDelay: (attempt) => 600 * 2 ** attempt,
    },
    mutations: { retry: false },
  },
});

function mayRecover(error: unknown): boolean {
  return isProblem(error) && (error.status === 0 || error.status >= 502);
}
