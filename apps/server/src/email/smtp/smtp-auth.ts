import { withoutSecrets } from '../transports/provider-words.ts';
import { rejectedBy, SmtpConnectError } from './smtp-server.ts';
import type { SmtpReply } from './smtp-reply.ts';

/**
 * Signs in (RFC 4954); only called over TLS or on loopback.
 * @param command  sends one line and waits for its reply
 * @param methods  the mechanisms that the server announced with AUTH
 * @throws SmtpConnectError
 */
export async function signIn(
  command: (line: string) => Promise<SmtpReply>,
  methods: readonly string[],
  { user, password }: { user: string; password: string },
): Promise<void> {
  let reply: SmtpReply;
  if (methods.includes('PLAIN')) {
    reply = await command(`AUTH PLAIN ${base64(`\0${user}\0${password}`)}`);
  } else if (methods.includes('LOGIN')) {
    reply = await command('AUTH LOGIN');
    if (reply.code === 334) reply = await command(base64(user));
    if (reply.code === 334) reply = await command(base64(password));
  } else {
    throw new SmtpConnectError('The server offers neither AUTH PLAIN nor AUTH LOGIN.');
  }
  const secrets = [password, base64(password), base64(`\0${user}\0${password}`)];
  if (reply.code !== 235) throw rejectedBy('AUTH', { ...reply, text: withoutSecrets(reply.text, secrets) });
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
