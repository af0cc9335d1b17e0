import type { FastifyInstance } from 'fastify';
import { toProblem } from '../platform/http/problem.ts';
import { authRoutes, type Auth } from './auth.ts';

/** Mounts the library's routes that are in use; its errors are answered as problem details like all others. */
export function registerAuthRoutes(
  app: FastifyInstance,
  { auth, config }: { auth: Auth; config: { publicUrl: string } },
): void {
  for (const route of authRoutes) {
    const [method = '', url = ''] = route.split(' ');
    app.route({
      method,
      url,
      handler: async (request, reply) => {
        const headers = new Headers();
        for (const name of passedHeaders) {
          const value = request.headers[name];
          if (value !== undefined) headers.set(name, value);
        }
        // A sign-out comes without a body, and the library takes JSON only.
        if (method === 'POST') headers.set('content-type', 'application/json');
        const response = await auth.handle(
          new Request(new URL(`${url}${request.url.replace(/^[^?]*/, '')}`, config.publicUrl), {
            method,
            headers,
            ...(method === 'POST' ? { body: JSON.stringify(request.body ?? {}) } : {}),
          }),
        );
        reply.code(response.status).header('cache-control', 'no-store');
        for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie);
        const location = response.headers.get('location');
        if (location !== null) return reply.header('location', location).send();
        const text = await response.text();
        if (response.ok) return reply.type('application/json').send(text);
        return reply.type('application/problem+json').send(toAuthProblem(response.status, text));
      },
    });
  }
}

/**
 * What the library gets to see of a request. It would take the sender's address from any forwarding header, and anybody
 * can write those (INP-5).
 */
const passedHeaders = [
  'accept',
  'cookie',
  'origin',
  'referer',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'user-agent',
] as const;

const fieldOfCode: Record<string, string> = {
  INVALID_EMAIL: 'email',
  USER_ALREADY_EXISTS: 'email',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'email',
  PASSWORD_TOO_SHORT: 'password',
  PASSWORD_TOO_LONG: 'password',
};

function toAuthProblem(status: number, text: string) {
  const { code = 'auth_failed', message = 'This did not work.' } = parse(text);
  const field = fieldOfCode[code] ?? /^\[body\.(\w+)\]/.exec(message)?.[1];
  const detail = message.replace(/^\[body\.\w+\]\s*/, '');
  return toProblem({
    status,
    code: code.toLowerCase(),
    detail,
    ...(field === undefined ? {} : { data: { errors: [{ path: field, message: detail }] } }),
  });
}

function parse(text: string): { code?: string; message?: string } {
  try {
    return JSON.parse(text) as { code?: string; message?: string };
  } catch {
    return {};
  }
}
