/** One rejected field, with the server's name for it (`path` with dots: `mapping.email`). */
export interface ProblemField {
  path: string;
  message: string;
}

/**
 * A failed request. Every failed operation of the app ends as a `Problem`, whether the server responded with
 * `application/problem+json`, with something else, or not at all (`status` 0).
 */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: string | undefined;
  readonly fields: readonly ProblemField[];
  /** Further content of the response, for screens that handle the code. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** Under which the server logs it; undefined without a response. */
  readonly requestId: string | undefined;
  readonly at = new Date();

  constructor(init: {
    status: number;
    code: string;
    title: string;
    detail?: string | undefined;
    fields?: readonly ProblemField[];
    extra?: Record<string, unknown>;
    requestId?: string | null;
  }) {
    super(init.title);
    this.name = 'Problem';
    this.status = init.status;
    this.code = init.code;
    this.detail = init.detail;
    this.fields = init.fields ?? [];
    this.extra = init.extra ?? {};
    this.requestId = init.requestId ?? undefined;
  }
}

/** Parses a response body, which may be problem+json, other JSON, or unusable. */
export function problemFrom(
  status: number,
  body: unknown,
  fallbackTitle: string,
  requestId: string | null,
): Problem {
  const record = isRecord(body) ? body : {};
  return new Problem({
    status,
    code: text(record['code']) ?? `http_${status}`,
    title: text(record['title']) ?? text(record['message']) ?? fallbackTitle,
    detail: text(record['detail']) ?? text(record['message']),
    fields: fieldsOf(record['errors']),
    extra: record,
    requestId,
  });
}

/** Seconds until a retry can succeed, if the server says so. */
export function retrySecondsOf({ extra: { data } }: Problem): number | undefined {
  const wait = Number(isRecord(data) ? data['retry_after'] : undefined);
  return Number.isFinite(wait) && wait > 0 ? Math.ceil(wait) : undefined;
}

/** A request that did not reach the server: no network, or the server is down. */
export function networkProblem(): Problem {
  return new Problem({ status: 0, code: 'network', title: 'No connection' });
}

export function isProblem(error: unknown, status?: number): error is Problem {
  return error instanceof Problem && (status === undefined || error.status === status);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function fieldsOf(value: unknown): ProblemField[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown) => {
    if (!isRecord(entry)) return [];
    const path = Array.isArray(entry['path']) ? entry['path'].join('.') : entry['path'];
    return typeof path === 'string' && typeof entry['message'] === 'string'
      ? [{ path: path.replace(/^\//, '').replaceAll('/', '.'), message: entry['message'] }]
      : [];
  });
}
