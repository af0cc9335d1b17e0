import type { QueryFunctionContext, QueryKey } from '@tanstack/react-query';

const atOnce = 2;
let running = 0;
/** Each starts the next request. */
const waiting = new Set<() => void>();

/**
 * For queries of which a page has many. The server runs few of a user's requests at a time, and refuses those that wait for
 * long: here two run at a time, and the others wait. One that is cancelled meanwhile is never sent.
 */
export const inTurn = <
  K extends QueryKey,
  Q extends { queryFn: (context: QueryFunctionContext<K>) => unknown },
>(
  query: Q & { queryKey: K },
): Q & { queryKey: K } => ({
  ...query,
  queryFn: async (context: QueryFunctionContext<K>) => {
    await takeTurn(context.signal);
    try {
      return await query.queryFn(context);
    } finally {
      endTurn();
    }
  },
});

async function takeTurn(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (running < atOnce) {
    running += 1;
    return;
  }
  await new Promise<void>((resolve, reject) => {
    waiting.add(resolve);
    signal.addEventListener(
      'abort',
      () => {
        // Not if it has its turn: that ends with the request.
        if (waiting.delete(resolve)) reject(signal.reason as Error);
      },
      { once: true },
    );
  });
}

function endTurn(): void {
  const [next] = waiting;
  if (next === undefined) running -= 1;
  else {
    waiting.delete(next);
    next();
  }
}
