import assert from 'node:assert/strict';
import type { TestAnswer } from './app.ts';

/** An error as problem details (RFC 9457), as docs/error-codes.md describes it. */
export function assertProblem(answer: TestAnswer<unknown>, status: number, code: string, what = ''): void {
  const body = answer.body as { code?: string; status?: number; detail?: string };
  assert.deepEqual(
    { status: answer.status, code: body?.code },
    { status, code },
    `${what} not refused as expected: ${JSON.stringify(body)}`,
  );
  assert.equal(body.status, status);
  assert.notEqual(body.detail, '');
}

/** Bad input that names this field, and says what would be right. */
export function assertInvalid(answer: TestAnswer<unknown>, path: string, what = ''): void {
  assertProblem(answer, 422, 'invalid_input', what);
  const { errors = [] } = answer.body as { errors?: { path: string; message: string }[] };
  assert.ok(
    errors.some((error) => error.path === path && error.message !== ''),
    `${what} does not name ${path}: ${JSON.stringify(errors)}`,
  );
}
