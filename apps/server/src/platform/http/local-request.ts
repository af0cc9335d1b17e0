import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../loopback.ts';

export const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/**
 * Whether a request comes from a browser on this machine: over a loopback connection, to a loopback name, and through no proxy or
 * tunnel, which would also connect from this machine. For what a page may show; it is no authorization.
 */
export const isFromThisMachine = ({ ip, hostname, headers }: FastifyRequest): boolean =>
  isLoopback(ip.replace(/^::ffff:/, '')) &&
  isLoopback(hostname) &&
  !forwardingHeaders.some((name) => headers[name] !== undefined);
