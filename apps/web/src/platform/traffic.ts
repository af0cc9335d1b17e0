/** A request as the developer panel lists it: without query and body. */
export interface SeenRequest {
  method: string;
  path: string;
  at: number;
  ms?: number;
  /** 0 without a response; undefined while there is none. */
  status?: number;
  /** Under which the server logs it. */
  id?: string | null | undefined;
  /** Of the problem in the response. */
  code?: string | undefined;
}

const kept = 50;

/** The latest requests, and what the developer panel, which is loaded on request, does with requests. */
export const traffic: {
  requests: readonly SeenRequest[];
  onChange?: () => void;
  /** Changes responses, so that the states of screens can be looked at. Set only by `forced-states.ts`. */
  force?: (request: SeenRequest, send: () => Promise<Response>) => Promise<Response>;
} = { requests: [] };

/** Notes a request that starts. */
export function startNote(request: Request | string, init: RequestInit) {
  const given = request instanceof Request ? request : { url: request, method: init.method ?? 'GET' };
  const seen: SeenRequest = {
    method: given.method,
    path: new URL(given.url, location.origin).pathname,
    at: Date.now(),
  };
  traffic.requests = [seen, ...traffic.requests].slice(0, kept);
  traffic.onChange?.();
  return Object.assign(seen, {
    end: (status: number, id?: string | null, code?: string) => {
      Object.assign(seen, { status, id, code, ms: Date.now() - seen.at });
      traffic.requests = [...traffic.requests];
      traffic.onChange?.();
    },
  });
}
