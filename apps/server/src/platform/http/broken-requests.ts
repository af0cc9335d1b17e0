import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '@reachout/contract/errors.ts';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import { apiError } from './api-error.ts';
import { encodeProblem } from './orpc-problems.ts';

const codeOf: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Security headers of responses to requests that reach no hook; hooks set them on all other responses. */
export const safeHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Responds with problem details to requests that Node cannot parse, and closes the connection. */
export const refuseBrokenRequests =
  (log: Log) =>
  (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const { code = '' } = error;
    const problem = encodeProblem(apiError(codeOf[code] ?? 'bad_request'));
    const body = JSON.stringify(problem);
    const requestId = newId();
    log.debug({ request: requestId, reason: code }, 'broken request');
    const headers = {
      'content-type': 'application/problem+json',
      'content-length': Buffer.byteLength(body),
      'x-request-id': requestId,
      ...safeHeaders,
      connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const status = `${problem.status} ${STATUS_CODES[problem.status]}`;
    socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`, () => socket.destroy());
  };
