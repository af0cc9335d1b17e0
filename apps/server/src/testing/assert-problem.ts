import assert from 'node:assert/strict';
import type { TestResponse } from './app.ts';

/** Asserts that the response is an error as problem details (RFC 9457), as docs/error-codes.md describes it. */
export function assertProblem(
  response: TestResponse<unknown>,
  status: number,
  code: string,
  what = '',
): void {
  const body = response.body as { code?: string; status?: number; detail?: string };
  assert.deepEqual(
    { status: response.status, code: body?.code },
    { status, code },
    `${what} not refused as expected: ${JSON.stringify(body)}`,
  );
  assert.equal(body.status, status);
  assert.notEqual(body.detail, '');
}

/** Asserts a 422 response that has an error with a message for this field. */
export function assertInvalid(response: TestResponse<unknown>, path: string, what = ''): void {
  assertProblem(response, 422, 'invalid_input', what);
  const { errors = [] } = response.body as { errors?: { path: string; message: string }[] };
  assert.ok(
    errors.some((error) => error.path === path && error.message !== ''),
    `${what} does not name ${path}: ${JSON.stringify(errors)}`,
  );
}
