import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** The action of the relay at one step: reply, close or reset the connection, or stay silent. */
export type RelayAct = string | { close: true } | { reset: true } | { hang: true };
/** An act, or one per recipient (empty before RCPT) and text. Later commands are read at once and answered in order. */
type Step = RelayAct | ((recipient: string, text: string) => RelayAct | Promise<RelayAct>);

export interface RelayScript {
  greeting?: Step;
  ehlo?: Step;
  mail?: Step;
  rcpt?: Step;
  data?: Step;
  /** The reply to the message text. */
  dot?: Step;
  rset?: Step;
  /** Default: it says 221 and closes. */
  quit?: Step;
  /** Discards input that arrives together with the end of a text, which RFC 2920 section 3.2 forbids. */
  isForgetful?: true;
}

export interface ScriptedRelay {
  port: number;
  /** Commands in order of arrival, over all connections. */
  seen: string[];
  /** Completely received texts. */
  messages: string[];
  /** Number of accepted connections. */
  readonly connections: number;
}

export const hello = '250-test\r\n250-PIPELINING\r\n250 DSN\r\n';

/** Starts an SMTP server with scripted replies: one script per connection, the last one for all further connections. */
export async function startScriptedRelay(t: TestContext, ...scripts: RelayScript[]): Promise<ScriptedRelay> {
  const seen: string[] = [];
  const messages: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    void talk(socket, scripts[Math.min(connections++, scripts.length - 1)]!, { seen, messages });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    seen,
    messages,
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
  };
}

async function talk(
  socket: Socket,
  script: RelayScript,
  { seen, messages }: Pick<ScriptedRelay, 'seen' | 'messages'>,
): Promise<void> {
  let recipient = '';
  let last: Promise<unknown> = Promise.resolve();
  /** Sends replies in the order of their commands. */
  const reply = (step: Step, text = ''): Promise<RelayAct> => {
    const about = recipient;
    const done = last.then(async () => {
      const act = typeof step === 'function' ? await step(about, text) : step;
      if (!socket.writable) return act;
      if (typeof act === 'string') socket.write(act);
      else if ('close' in act) socket.end();
      else if ('reset' in act) socket.resetAndDestroy();
      return act;
    });
    // After `hang`, no reply is sent.
    last = done.then((act) =>
      typeof act === 'object' && 'hang' in act ? new Promise(() => undefined) : act,
    );
    return done;
  };
  const input = new RelayInput(socket);
  void reply(script.greeting ?? '220 test\r\n');
  for (;;) {
    const line = await input.line();
    if (line === undefined) return;
    seen.push(line);
    const verb = line.slice(0, 4);
    if (verb === 'RCPT') recipient = /<(.*)>/.exec(line)?.[1] ?? '';
    if (verb === 'EHLO') void reply(script.ehlo ?? hello);
    else if (verb === 'MAIL') void reply(script.mail ?? '250 ok\r\n');
    else if (verb === 'RCPT') void reply(script.rcpt ?? '250 ok\r\n');
    else if (verb === 'QUIT' && script.quit !== undefined) void reply(script.quit);
    else if (verb === 'QUIT') void reply('221 bye\r\n').then(() => socket.end());
    else if (verb === 'DATA') {
      // The next step depends on the reply.
      const act = await reply(script.data ?? '354 go\r\n');
      if (typeof act !== 'string' || !act.includes('354')) continue;
      const text = await input.text();
      if (text === undefined) return;
      messages.push(text);
      if (script.isForgetful === true) input.forget();
      void reply(script.dot ?? '250 2.0.0 taken\r\n', text);
    } else void reply(script.rset ?? '250 ok\r\n');
  }
}

/** Input of a connection, read in parts; undefined when the connection ends first. */
class RelayInput {
  #pending = '';
  #isOver = false;
  #onMore: () => void = () => undefined;

  constructor(socket: Socket) {
    socket.on('data', (chunk) => {
      this.#pending += chunk.toString('latin1');
      this.#onMore();
    });
    socket.on('close', () => {
      this.#isOver = true;
      this.#onMore();
    });
  }

  line(): Promise<string | undefined> {
    return this.#take(() => this.#pending.indexOf('\r\n'), 2);
  }

  text(): Promise<string | undefined> {
    return this.#take(() => {
      const end = this.#pending.indexOf('\r\n.\r\n');
      return this.#pending.startsWith('.\r\n') ? 0 : end < 0 ? -1 : end + 2;
    }, 3);
  }

  forget(): void {
    this.#pending = '';
  }

  async #take(findEnd: () => number, behind: number): Promise<string | undefined> {
    let end = findEnd();
    while (end < 0) {
      if (this.#isOver) return undefined;
      await new Promise<void>((resolve) => (this.#onMore = resolve));
      end = findEnd();
    }
    const taken = this.#pending.slice(0, end);
    this.#pending = this.#pending.slice(end + behind);
    return taken;
  }
}
