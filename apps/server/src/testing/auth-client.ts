import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { Problem } from '../platform/http/problem.ts';
import { nextAccountEmail } from './account-mail.ts';
import type { TestResponse, TestApp } from './app.ts';
import { signInOperations } from './contract-calls.ts';

export const goodPassword = 'correct horse battery';
export const newEmail = () => `${randomUUID()}@people.example`;
let lastNetwork = 0;

/** @returns an unused IP address from the range reserved for benchmarks (RFC 2544) */
export function newIpAddress(): string {
  lastNetwork += 1;
  return `198.18.${(lastNetwork >> 8) & 255}.${lastNetwork & 255}`;
}

/** A browser with its own cookies and IP address, which sends requests from our own pages. */
export interface AuthClient {
  cookies: Map<string, string>;
  network: string;
  post: <T = Problem>(path: string, body: unknown) => Promise<TestResponse<T>>;
  get: <T = Problem>(path: string) => Promise<TestResponse<T>>;
  request: <T = Problem>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: unknown,
  ) => Promise<TestResponse<T>>;
  /** @returns the email address of the signed-in user */
  whoIs: () => Promise<string | undefined>;
}

/** @param app  with TRUSTED_PROXIES 127.0.0.1, so that clients have different IP addresses */
export function createAuthClient(
  app: TestApp,
  options: { network?: string; language?: string } = {},
): AuthClient {
  const cookies = new Map<string, string>();
  const { network = newIpAddress(), language = 'en' } = options;
  const origin = new URL(app.services.config.publicUrl).origin;
  const request = async <T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await app.request<T>(method, path, {
      ...(body === undefined ? {} : { body }),
      headers: {
        origin,
        'x-forwarded-for': network,
        'accept-language': language,
        ...(cookie === '' ? {} : { cookie }),
      },
    });
    assertDeclared(method, path, response);
    for (const text of cookiesOf(response)) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      if (/max-age=0/i.test(text)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  return {
    cookies,
    network,
    request,
    post: (path, body) => request('POST', `/api/auth/${path}`, body),
    get: (path) => request('GET', `/api/auth/${path}`),
    whoIs: async () => {
      const { body } = await request<{ user?: { email?: string } } | null>('GET', '/api/auth/get-session');
      return body?.user?.email;
    },
  };
}

/** Asserts that a sign-in operation responds as the contract declares: its output, or one of its errors. */
function assertDeclared(method: string, path: string, { status, body }: TestResponse<unknown>): void {
  const operation = signInOperations.find(
    (other) =>
      other.method === method &&
      new RegExp(`^/api${other.path.replaceAll(/\{\w+\}/g, '[^/?]+')}(?:\\?|$)`).test(path),
  );
  if (operation === undefined) return;
  const { name, output, successStatus, errors } = operation;
  const what = `${name} responded ${status} ${JSON.stringify(body)}`;
  if (status < 400) {
    assert.equal(status, successStatus, what);
    // The schema omits what it does not declare.
    if (output !== undefined) assert.deepEqual(output.parse(body), body, what);
    return;
  }
  const { code = '', data } = body as { code?: string; data?: unknown };
  const declared = errors[code];
  assert.equal(declared?.status, status, what);
  const schema = declared?.data as z.ZodType | undefined;
  assert.deepEqual(schema?.parse(data), data, what);
}

export const cookiesOf = ({ headers }: TestResponse<unknown>): string[] =>
  [headers['set-cookie'] ?? []].flat().map(String);

/** Signs up a new user, including the confirmation by email. */
export async function signUp(
  app: TestApp,
  client: AuthClient,
  { email = newEmail(), password = goodPassword, name = 'Ada Lovelace' } = {},
): Promise<{ email: string; password: string }> {
  const asked = await client.post('sign-up', { name, email, password });
  assert.equal(asked.status, 200, JSON.stringify(asked.body));
  const { token } = await nextAccountEmail(app, email);
  const confirmed = await client.post('sign-up/confirm', { token });
  assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body));
  return { email: email.toLowerCase(), password };
}
