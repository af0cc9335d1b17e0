import { BlockList, isIPv6, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { HttpLimits } from './http-limits.ts';

/**
 * Limits the connections in all and of one address, and the requests of one connection whose responses are not finished. The
 * address of a proxy stands for many peers: only the limit for all applies to it.
 * @returns what the metrics report
 */
export function limitConnections(
  app: FastifyInstance,
  { all, address: perAddress, pipelined }: HttpLimits['connections'],
  trustedProxies: readonly string[],
) {
  const { server } = app;
  const isProxy = matchProxies(trustedProxies);
  const byAddress = new Map<string, number>();
  const requests = new WeakMap<Socket, number>();
  let open = 0;
  let refused = 0;
  server.maxConnections = all;
  server.on('drop', () => (refused += 1));

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const count = (byAddress.get(address) ?? 0) + 1;
    byAddress.set(address, count);
    open += 1;
    socket.once('close', () => {
      open -= 1;
      const left = (byAddress.get(address) ?? 1) - 1;
      if (left === 0) byAddress.delete(address);
      else byAddress.set(address, left);
    });
    if (count > perAddress && !isProxy(address)) {
      refused += 1;
      socket.destroy();
    } else if (open > all * 0.9) server.closeIdleConnections();
  });

  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const count = (requests.get(socket) ?? 0) + 1;
    requests.set(socket, count);
    reply.raw.once('finish', () => requests.set(socket, (requests.get(socket) ?? 1) - 1));
    if (count > pipelined) {
      reply.hijack();
      socket.destroy();
    } else done();
  });
  return { count: () => open, limit: all, refused: () => refused };
}

/** @param trusted  addresses and networks; other names of Fastify, such as `loopback`, are not settings */
export function matchProxies(trusted: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of trusted) {
    const [address = '', bits] = entry.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
