import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A line to another server that can be cut and mended. */
export interface TcpProxy {
  port: number;
  /** Breaks all connections and refuses new ones, as a server that is gone does. */
  cut: () => Promise<void>;
  /** Takes connections again, on the same port. */
  mend: () => Promise<void>;
}

/** @param target where the connections lead to */
export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  let port = 0;

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
      incoming.pipe(outgoing);
      outgoing.pipe(incoming);
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
    mend: async () => {
      if (server === undefined) await listen();
    },
  };
}
