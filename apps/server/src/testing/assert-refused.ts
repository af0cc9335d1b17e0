import assert from 'node:assert/strict';

/** The error of the SDK of Directus. */
interface Refusal {
  response?: Response;
  errors?: { extensions: { code: string } }[];
}

/** Asserts that a request of the SDK of Directus is refused with this status and code. */
export async function assertRefused(
  work: Promise<unknown>,
  status: number,
  code: string,
  what = code,
): Promise<void> {
  await assert.rejects(
    work,
    ({ response, errors }: Refusal) => {
      assert.deepEqual([response?.status, errors?.[0]?.extensions.code], [status, code], what);
      return true;
    },
    what,
  );
}
