import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

/** Allows the inline scripts of a page that the server itself has, by their hashes. */
export function allowInlineScripts(reply: FastifyReply, page: string): void {
  const policy = reply.getHeader('content-security-policy');
  const scripts = [...page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)];
  if (typeof policy !== 'string' || scripts.length === 0) return;
  const hashes = scripts.map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  );
  reply.header(
    'content-security-policy',
    policy.replace("script-src 'self'", `script-src 'self' ${hashes.join(' ')}`),
  );
}
