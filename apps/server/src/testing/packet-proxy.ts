import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What becomes of a packet to the server: the connection breaks before it has left, or before its response is back. */
export type PacketFate = 'pass' | 'break_before' | 'break_after';

/** A line to another server that breaks at chosen packets. */
export interface PacketProxy {
  port: number;
  /** Asked for each packet to the server, over all connections. */
  decide: (packet: Buffer) => PacketFate;
  /** Whether a part of the response is where the connection breaks. Parts before it never arrive; the first one if unset. */
  isBreak: (part: Buffer) => boolean;
  close: () => Promise<void>;
}

export async function startPacketProxy(target: { host: string; port: number }): Promise<PacketProxy> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (incoming) => {
    const outgoing = connect({ ...target, noDelay: true });
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    const cut = () => {
      incoming.destroy();
      outgoing.destroy();
    };
    incoming.on('close', cut);
    outgoing.on('close', cut);
    let isBreaking = false;
    incoming.on('data', (packet: Buffer) => {
      const fate = isBreaking ? 'pass' : proxy.decide(packet);
      if (fate === 'break_before') return cut();
      isBreaking ||= fate === 'break_after';
      outgoing.write(packet);
    });
    outgoing.on('data', (part: Buffer) => {
      if (!isBreaking) incoming.write(part);
      else if (proxy.isBreak(part)) cut();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: PacketProxy = {
    port: (server.address() as AddressInfo).port,
    decide: () => 'pass',
    isBreak: () => true,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}

/** @returns breaks the n-th packet from now on, and no other */
export function breakNth(n: number, fate: PacketFate): () => PacketFate {
  let count = 0;
  return () => {
    count += 1;
    return count === n ? fate : 'pass';
  };
}

/** @returns breaks the first packet from now on that has the text, before its response is back */
export function breakResponseTo(text: string): PacketProxy['decide'] {
  let isBroken = false;
  return (packet) => {
    if (isBroken || !packet.includes(text)) return 'pass';
    isBroken = true;
    return 'break_after';
  };
}
