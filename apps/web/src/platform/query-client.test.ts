import assert from 'node:assert/strict';
import { afterEach, suite, test } from 'node:test';
import { QueryObserver, type MutationOptions, type QueryKey } from '@tanstack/react-query';
import { changes, queryClient } from './query-client.ts';

suite('a change', () => {
  afterEach(() => queryClient.clear());

  /** Shows a query of one owner and a picture, which has none. @returns how often each was read after the change */
  async function readsAfter(options: MutationOptions): Promise<{ owned: number; picture: number }> {
    const reads = { owned: 0, picture: 0 };
    const show = async (queryKey: QueryKey, name: keyof typeof reads) => {
      const queryFn = () => {
        reads[name] += 1;
        return reads[name];
      };
      new QueryObserver(queryClient, { queryKey, queryFn, staleTime: Infinity }).subscribe(() => undefined);
      await queryClient.ensureQueryData({ queryKey, queryFn });
    };
    await show([['an organization', 'brands']], 'owned');
    await show(['picture'], 'picture');
    await queryClient.getMutationCache().build(queryClient, options).execute(undefined);
    return { owned: reads.owned - 1, picture: reads.picture - 1 };
  }
  const mutationFn = () => Promise.resolve();

  test('reads what belongs to its owner again, and no pictures', async () => {
    const reads = await readsAfter({ ...changes('an organization'), mutationFn });
    assert.deepEqual(reads, { owned: 1, picture: 0 });
  });

  test('reads nothing again if it has no owner', async () => {
    assert.deepEqual(await readsAfter({ mutationFn }), { owned: 0, picture: 0 });
  });
});
