import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** A TCP proxy whose connections can be cut and restored. */
export interface TcpProxy {
  port: number;
  /** Breaks all connections and refuses new ones, like a stopped server. */
  cut: () => Promise<void>;
  /** Accepts connections again, on the same port. */
  mend: () => Promise<void>;
  /** Stops forwarding without closing connections, like a network without a route. */
  freeze: () => void;
  thaw: () => void;
  /** Permanently stops forwarding on existing connections, but not on new ones, like a NAT that lost its table. */
  lose: () => void;
  /** Delays each packet in both directions, like a database far away. */
  delay: (ms: number) => void;
  /** Forwards new connections to this target. */
  redirect: (target: Address) => void;
}

/** @returns the URL of the same server through a proxy on this machine */
export function throughProxy(url: string, { port }: { port: number }): string {
  const changed = new URL(url);
  changed.hostname = '127.0.0.1';
  changed.port = String(port);
  return changed.href;
}

interface Address {
  host: string;
  port: number;
}

/** @param firstTarget the initial target of connections */
export async function startTcpProxy(firstTarget: Address): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const pairs = new Set<[Socket, Socket]>();
  let target = firstTarget;
  let isFrozen = false;
  let delayMs = 0;
  let server: Server | undefined;
  let port = 0;

  const lag = () =>
    new Transform({
      transform: (packet, _encoding, done) => {
        if (delayMs === 0) done(null, packet);
        else setTimeout(done, delayMs, null, packet);
      },
    });

  async function listen(): Promise<void> {
    server = createServer((incoming) => {
      const outgoing = connect(target);
      for (const socket of [incoming, outgoing]) {
        sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => sockets.delete(socket));
      }
      incoming.on('close', () => outgoing.destroy());
      outgoing.on('close', () => incoming.destroy());
      const pair: [Socket, Socket] = [incoming, outgoing];
      pairs.add(pair);
      incoming.on('close', () => pairs.delete(pair));
      if (!isFrozen) join(pair, lag);
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  }

  await listen();
  return {
    port,
    cut: async () => {
      if (server === undefined) return;
      const closed = once(server, 'close');
      server.close();
      server = undefined;
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    freeze: () => {
      isFrozen = true;
      for (const pair of pairs) part(pair);
    },
    thaw: () => {
      isFrozen = false;
      for (const pair of pairs) join(pair, lag);
    },
    lose: () => {
      for (const pair of pairs) part(pair);
      pairs.clear();
    },
    delay: (ms) => {
      delayMs = ms;
    },
    redirect: (next) => {
      target = next;
    },
    mend: async () => {
      if (server === undefined) await listen();
    },
  };
}

function join([one, other]: [Socket, Socket], lag: () => Transform): void {
  one.pipe(lag()).pipe(other);
  other.pipe(lag()).pipe(one);
}

function part([one, other]: [Socket, Socket]): void {
  one.unpipe().pause();
  other.unpipe().pause();
}
