import type { z } from 'zod';
import { describeIssues } from '../../platform/http/api-error.ts';
import { invalidPayload } from './rest-error.ts';

/** @throws RestError 400 `INVALID_PAYLOAD`, with the first issue */
export function parseBody<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [{ path, message } = { path: '', message: 'This is not valid.' }] = describeIssues(
    parsed.error.issues,
  );
  throw invalidPayload(path === '' ? message : `${path}: ${message}`);
}
