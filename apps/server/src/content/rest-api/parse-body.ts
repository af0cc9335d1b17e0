import { itemErrors } from '@reachout/contract/rules/item-errors.ts';
import type { z } from 'zod';
import { describeIssues } from '../../platform/http/api-error.ts';
import { incompleteCall, invalidPayload } from './rest-error.ts';

/** @throws RestError 400 `INVALID_PAYLOAD`, with the first issue */
export function parseBody<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [{ path, message } = { path: '', message: 'This is not valid.' }] = describeIssues(
    parsed.error.issues,
  );
  const lacking = Object.values(itemErrors).find((text) => text === message);
  if (lacking !== undefined) throw incompleteCall(lacking);
  throw invalidPayload(path === '' ? message : `${path}: ${message}`);
}
