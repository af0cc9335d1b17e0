import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';

/** Headers that proxies, tunnels and CDNs add. */
const forwardingHeader =
  /^(forwarded|via|true-client-ip|x-(forwarded|original|real|client|cluster-client|envoy|amzn|azure)(-.*)?|cf-.*|fly-.*|cdn-loop)$/;
const loopback = /^(127\.0\.0\.1|::1|localhost|\[::1\])$/;

/**
 * True when only this machine can ask, and did: the server listens on the loopback interface, is not set up to be reached
 * from elsewhere through a proxy, no proxy shows that it passes the request on for somebody else, and the page was not
 * opened under a foreign name that resolves to this machine. A proxy that adds nothing shows by the version it speaks:
 * nginx asks in HTTP/1.0 unless it is told otherwise, which no browser does.
 */
export function isLocal(
  { host, publicUrl }: Pick<Config, 'host' | 'publicUrl'>,
  request: FastifyRequest,
): boolean {
  if (request.raw.httpVersion === '1.0') return false;
  if (Object.keys(request.headers).some((header) => forwardingHeader.test(header))) return false;
  const [name = ''] = (request.headers.host ?? '').split(/:\d+$/);
  return [host, new URL(publicUrl).hostname, request.socket.remoteAddress ?? '127.0.0.1', name].every(
    (address) => loopback.test(address.replace(/^::ffff:/, '')),
  );
}
