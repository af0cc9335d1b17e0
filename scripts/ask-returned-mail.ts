import { Resolver } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import type { Config } from '../apps/server/src/platform/config.ts';
import { askMailServer } from './ask-mail-server.ts';

/** Where mail to the bounce host goes. */
export interface ReturnRoute {
  /** Mail servers with their addresses, such as `mx.example.org (192.0.2.1)`; undefined if the DNS gave no answer. */
  servers: string[] | undefined;
  /** Whether one of the addresses is one of this machine. */
  isHere: boolean;
  /** Why the listener for returned mail does not answer; undefined if it does, or none is to run here. */
  problem: string | undefined;
}

const timeoutMs = 3_000;

export async function askReturnedMail({
  bounceDomain,
  dnsServers,
  inbound,
  roles,
}: Pick<Config, 'bounceDomain' | 'dnsServers' | 'inbound' | 'roles'>): Promise<ReturnRoute> {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
  if (dnsServers.length > 0) resolver.setServers(dnsServers);
  const isTaken = inbound !== undefined && roles.includes('inbound');
  const problem = isTaken ? await askMailServer(listenerUrl(inbound)) : undefined;
  try {
    const exchanges = await listOrNone(resolver.resolveMx(bounceDomain));
    // RFC 5321, section 5.1: without MX records, the host itself.
    const names = exchanges
      .toSorted((first, second) => first.priority - second.priority)
      .map(({ exchange }) => exchange);
    const found = await Promise.all(
      (names.length === 0 ? [bounceDomain] : names).map(async (name) => {
        const answers = [listOrNone(resolver.resolve4(name)), listOrNone(resolver.resolve6(name))];
        return { name, addresses: (await Promise.all(answers)).flat() };
      }),
    );
    const reachable = found.filter(({ addresses }) => addresses.length > 0);
    const own = new Set(
      Object.values(networkInterfaces()).flatMap((of) => (of ?? []).map((at) => at.address)),
    );
    return {
      servers: reachable.map(({ name, addresses }) => `${name} (${addresses.join(', ')})`),
      isHere: reachable.some(({ addresses }) => addresses.some((address) => own.has(address))),
      problem,
    };
  } catch {
    return { servers: undefined, isHere: false, problem };
  }
}

/** @returns nothing for a record that is absent. @throws if the DNS gives no answer */
async function listOrNone<T>(answer: Promise<T[]>): Promise<T[]> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOTFOUND' || error.code === 'ENODATA'))
      return [];
    throw error;
  }
}

function listenerUrl({ host, port }: NonNullable<Config['inbound']>): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `smtp://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
