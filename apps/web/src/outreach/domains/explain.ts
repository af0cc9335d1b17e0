import { isProblem, isRecord, Problem } from '#web/platform/problem.ts';

/**
 * Replaces the text of an error whose code these screens explain themselves.
 * @param textOf  by the data of the response; undefined for codes that it does not know
 * @param path  of the field that it belongs to
 */
export function explained(
  error: unknown,
  textOf: (code: string, data: Record<string, unknown>) => string | undefined,
  path?: string,
): unknown {
  if (!isProblem(error)) return error;
  const { data } = error.extra;
  const text = textOf(error.code.toLowerCase(), isRecord(data) ? data : {});
  if (text === undefined) return error;
  return new Problem({
    status: error.status,
    code: error.code,
    title: error.message,
    detail: text,
    fields: path === undefined ? [] : [{ path, message: text }],
    extra: error.extra,
  });
}
