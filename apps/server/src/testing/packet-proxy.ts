import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** The fate of a packet to the server: it passes, or the connection breaks before it is sent or before its response. */
export type PacketFate = 'pass' | 'break_before' | 'break_after';

/** A proxy that breaks connections at chosen packets. */
export interface PacketProxy {
  port: number;
  /** Called for each packet to the server, on all connections. */
  decide: (packet: Buffer) => PacketFate;
  /** Whether the connection breaks at this part of the response; default: the first. Earlier parts are dropped. */
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

/** @returns a `decide` that breaks only the n-th packet from now on */
export function breakNth(n: number, fate: PacketFate): () => PacketFate {
  let count = 0;
  return () => {
    count += 1;
    return count === n ? fate : 'pass';
  };
}

/** @returns a `decide` that breaks the connection before the response to the next packet that contains the text */
export function breakResponseTo(text: string): PacketProxy['decide'] {
  let isBroken = false;
  return (packet) => {
    if (isBroken || !packet.includes(text)) return 'pass';
    isBroken = true;
    return 'break_after';
  };
}
