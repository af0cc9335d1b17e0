import type { z } from 'zod';
import { invalidPayload } from './rest-error.ts';

/** @throws RestError 400 `INVALID_PAYLOAD`, with the first thing that is wrong */
export function parseBody<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalidPayload(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'This is not valid.'}`);
}
