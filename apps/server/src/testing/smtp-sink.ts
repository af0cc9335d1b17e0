import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { testCertificate, testKey } from './smtp-certificate.ts';

export interface TakenMessage {
  recipient: string;
  sender: string;
  messageId: string;
  date: string;
  /** The complete message when `keepMessages` is set, else empty. */
  raw: string;
}

export interface SmtpSink {
  url: string;
  taken: TakenMessage[];
  /** @returns the response that rejects a recipient; undefined accepts it */
  refuse: (recipient: string) => { code: number; text: string } | undefined;
  /** Called before the response to a message, which waits for it. */
  beforeAnswer: (message: TakenMessage) => Promise<void>;
  close: () => Promise<void>;
}

interface SinkOptions {
  keepMessages?: boolean;
  /** Required to sign in, over TLS; without it, neither is offered. */
  account?: { username: string; password: string };
}

/** Starts a real SMTP server that stores the messages it accepts. */
export async function startSmtpSink(options: SinkOptions = {}): Promise<SmtpSink> {
  const { account } = options;
  const sink: SmtpSink = {
    url: '',
    taken: [],
    refuse: () => undefined,
    beforeAnswer: () => Promise.resolve(),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  const server = new SMTPServer({
    disableReverseLookup: true,
    ...(account === undefined
      ? { authOptional: true, disabledCommands: ['AUTH', 'STARTTLS'] }
      : { key: testKey, cert: testCertificate }),
    onAuth: ({ username, password }, _session, done) =>
      username === account?.username && password === account?.password
        ? done(null, { user: username })
        : done(Object.assign(new Error('Wrong user name or password'), { responseCode: 535 })),
    closeTimeout: 100,
    onRcptTo: ({ address }, _session, done) => {
      const refusal = sink.refuse(address);
      done(
        refusal === undefined ? null : Object.assign(new Error(refusal.text), { responseCode: refusal.code }),
      );
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('latin1');
        const { mailFrom, rcptTo } = session.envelope;
        const message: TakenMessage = {
          recipient: rcptTo.map(({ address }) => address).join(','),
          sender: mailFrom === false ? '' : mailFrom.address,
          messageId: /^Message-ID: (\S+)/im.exec(raw)?.[1] ?? '',
          date: /^Date: (.+)/im.exec(raw)?.[1] ?? '',
          raw: options.keepMessages === true ? raw : '',
        };
        sink.taken.push(message);
        // oxlint-disable-next-line promise/no-callback-in-promise -- the server's interface wants a callback
        void sink.beforeAnswer(message).then(() => done());
      });
    },
  });
  // Some tests kill the client, which breaks its connection.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  sink.url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  return sink;
}
