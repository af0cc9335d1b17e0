import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { SmtpReplyParser, cleanReplyText } from '../apps/server/src/email/smtp/smtp-reply.ts';

/**
 * Connects to a mail server, sends EHLO and QUIT: no message is sent, and there is no authentication.
 * @param smtpUrl  as in SMTP_URL
 * @returns the problem; undefined if the server sends its greeting and answers EHLO in time
 */
export function askMailServer(smtpUrl: string, timeoutMs = 5_000): Promise<string | undefined> {
  const { protocol, hostname, port } = new URL(smtpUrl);
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  const isEncrypted = protocol === 'smtps:';
  const address = { host, port: Number(port) || (isEncrypted ? 465 : 587) };
  const socket = isEncrypted ? connectTls(address) : connectTcp(address);
  const parser = new SmtpReplyParser();
  const expected = [220, 250];
  return new Promise((resolve) => {
    const end = (problem?: string) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(problem);
    };
    const timer = setTimeout(() => end(`no answer within ${timeoutMs / 1_000} s`), timeoutMs);
    socket.on('error', (error) =>
      end('code' in error && typeof error.code === 'string' ? error.code : error.message),
    );
    socket.on('close', () => end('it closed the connection'));
    socket.on('data', (bytes: Buffer) => {
      try {
        for (const { code, text } of parser.push(bytes)) {
          if (code !== expected.shift()) return end(cleanReplyText(`${code} ${text}`));
          socket.write(expected.length === 0 ? 'QUIT\r\n' : 'EHLO [127.0.0.1]\r\n');
          if (expected.length === 0) return socket.end(() => end());
        }
      } catch (error) {
        end(error instanceof Error ? error.message : String(error));
      }
    });
  });
}
