import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A stage of the SMTP dialog, after which the relay replies. */
export type RelayStage = 'greeting' | 'mail' | 'rcpt' | 'data' | 'message';

/** A reply such as `250 ok`, or a fault: `reset` resets the connection, `silence` stops all replies on it. */
export type RelayStep = string;

export interface FaultyRelay {
  url: string;
  /** Message-ID and Date of all completely received messages, by recipient: copies that the recipient may get. */
  copies: Map<string, string[]>;
  /** Number of messages that were started, by recipient. */
  tries: Map<string, number>;
  /** @returns undefined for the default reply */
  behave: (
    stage: RelayStage,
    recipient: string,
    sender: string,
  ) => RelayStep | undefined | Promise<RelayStep | undefined>;
  openConnections: () => number;
  close: () => Promise<void>;
}

const usual: Record<RelayStage, string> = {
  greeting: '220 relay ready',
  mail: '250 2.1.0 ok',
  rcpt: '250 2.1.5 ok',
  data: '354 go on',
  message: '250 2.0.0 taken',
};

/** Starts a mail server with configurable faults, which counts every copy that it may have delivered. */
export async function startFaultyRelay(): Promise<FaultyRelay> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    void talk(socket, relay);
  });
  const relay: FaultyRelay = {
    url: '',
    copies: new Map(),
    tries: new Map(),
    behave: () => undefined,
    openConnections: () => sockets.size,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  relay.url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return relay;
}

async function talk(socket: Socket, relay: FaultyRelay): Promise<void> {
  let recipient = '';
  let sender = '';
  /** @returns whether the reply is positive, so that the dialog continues */
  const reply = async (stage: RelayStage): Promise<boolean> => {
    const step = (await relay.behave(stage, recipient, sender)) ?? usual[stage];
    if (step === 'reset') socket.resetAndDestroy();
    // Later commands of the client get no reply either.
    if (step === 'silence') await new Promise(() => undefined);
    if (step === 'reset') return false;
    socket.write(`${step}\r\n`);
    return /^[23]/.test(step);
  };
  if (!(await reply('greeting'))) return;
  let isAccepted = true;
  let isText = false;
  let text = '';
  for await (const line of readLines(socket)) {
    if (isText) {
      if (line !== '.') {
        text += `${line}\n`;
        continue;
      }
      isText = false;
      const messageId = /^Message-ID: (\S+)/im.exec(text)?.[1];
      const date = /^Date: (.+)/im.exec(text)?.[1] ?? '';
      if (messageId !== undefined)
        relay.copies.set(recipient, [...(relay.copies.get(recipient) ?? []), `${messageId} ${date}`]);
      await reply('message');
      continue;
    }
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === 'EHLO') socket.write('250-relay\r\n250 PIPELINING\r\n');
    else if (verb === 'MAIL') {
      sender = /<(.*)>/.exec(line)?.[1] ?? '';
      isAccepted = await reply('mail');
    } else if (verb === 'RCPT') {
      recipient = /<(.*)>/.exec(line)?.[1] ?? '';
      relay.tries.set(recipient, (relay.tries.get(recipient) ?? 0) + 1);
      isAccepted = (await reply('rcpt')) && isAccepted;
    } else if (verb === 'DATA') {
      if (!isAccepted) socket.write('503 5.5.1 no recipient\r\n');
      else {
        isText = await reply('data');
        text = '';
      }
    } else if (verb === 'QUIT') socket.end('221 bye\r\n');
    else socket.write('250 ok\r\n');
  }
}

async function* readLines(socket: Socket): AsyncGenerator<string> {
  let pending = '';
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      const lines = (pending + chunk.toString('latin1')).split('\r\n');
      pending = lines.pop()!;
      yield* lines;
    }
  } catch {
    // The worker closed the connection, or it was reset here.
  }
}
