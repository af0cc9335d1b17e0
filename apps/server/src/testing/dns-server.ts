import type { Socket } from 'node:net';
import { createTCPServer, createUDPServer, Packet, type DnsHandler } from 'dns2';
import { findFreePort } from './find-free-port.ts';

/** The records of a name. Without one of the type, the answer has no records. */
export interface ZoneRecords {
  /** A list is one record of several strings; others are split after 255 bytes. */
  TXT?: readonly (string | readonly (string | Buffer)[])[];
  CNAME?: string;
  MX?: readonly string[];
  A?: readonly string[];
  AAAA?: readonly string[];
  CAA?: readonly string[];
  /** Answers with the alias alone, as a server does that is not recursive. */
  isAliasOnly?: boolean;
  /** Fails for all but the alias itself, as resolvers do with aliases in a circle. */
  isEndless?: boolean;
  /** Fails, with an extended error (RFC 8914); a fault of DNSSEC not for those who verify signatures themselves. */
  fault?: { isDnssec?: boolean; infoCode?: number };
}

type ZoneEntry = ZoneRecords | 'SERVFAIL' | 'REFUSED' | 'silent';

/** By name, or `*.` and a name. A name without an entry does not exist, unless one below it does. */
export type Zone = Readonly<Record<string, ZoneEntry>>;

export interface DnsServer {
  /** `127.0.0.1:port`. */
  address: string;
  /** Queries so far, such as `TXT example.com`. */
  queries: string[];
  close: () => void;
}

const types = ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'CAA'] as const;
const maxAliases = 12;

/** Starts a resolver on loopback, over UDP and TCP, that knows this zone only. */
export async function startDnsServer(zone: Zone): Promise<DnsServer> {
  const queries: string[] = [];
  const answer: DnsHandler = (request, send) => {
    const [question] = request.questions;
    const type = types.find((name) => Packet.TYPE[name] === question?.type);
    const name = question?.name.toLowerCase() ?? '';
    queries.push(`${type} ${name}`);
    const entry = zone[name];
    if (entry === 'silent') return;
    const fault = typeof entry === 'string' ? undefined : entry?.fault;
    const isFailing =
      fault !== undefined && !(fault.isDnssec === true && Reflect.get(request.header, 'cd') === 1);
    const response = isFailing
      ? Packet.createErrorResponseFromRequest(
          request,
          Packet.RCODE.SERVFAIL,
          fault.infoCode === undefined ? undefined : { infoCode: fault.infoCode, extraText: 'of a test' },
        )
      : Packet.createResponseFromRequest(request);
    response.header.ra = 1;
    if (isFailing) response.header.rcode = Packet.RCODE.SERVFAIL;
    else if (entry === 'SERVFAIL' || entry === 'REFUSED') response.header.rcode = Packet.RCODE[entry];
    else if (entry?.isEndless === true && type !== 'CNAME') response.header.rcode = Packet.RCODE.SERVFAIL;
    else if (type !== undefined) {
      const { records, isKnown } = resolve(zone, name, type);
      if (!isKnown) response.header.rcode = Packet.RCODE.NXDOMAIN;
      response.answers.push(...records);
    }
    // A client that gave up has closed its connection.
    void Promise.resolve(send(response)).catch(() => {});
  };
  const tcp = createTCPServer(answer);
  const udp = createUDPServer(answer);
  // Not an ephemeral one, which another process may have for its own queries.
  const port = await findFreePort();
  await new Promise<void>((done) => {
    tcp.listen(port, '127.0.0.1', done);
  });
  await udp.listen(port, '127.0.0.1');
  const sockets = new Set<Socket>();
  tcp.on('connection', (socket) => sockets.add(socket));
  return {
    address: `127.0.0.1:${port}`,
    queries,
    close: () => {
      for (const socket of sockets) socket.destroy();
      tcp.close();
      udp.close();
    },
  };
}

type Answer = InstanceType<typeof Packet.Resource>;

function resolve(
  zone: Zone,
  asked: string,
  type: (typeof types)[number],
): { records: Answer[]; isKnown: boolean } {
  const records: Answer[] = [];
  let name = asked;
  for (let step = 0; step < maxAliases; step += 1) {
    const entry = zone[name] ?? wildcardFor(zone, name);
    if (entry === undefined || typeof entry === 'string') return { records, isKnown: hasBelow(zone, name) };
    const common = { name, class: Packet.CLASS.IN, ttl: 60 };
    if (entry.CNAME !== undefined) {
      records.push({ ...common, type: Packet.TYPE.CNAME, domain: entry.CNAME } as Answer);
      if (entry.isAliasOnly === true || type === 'CNAME') return { records, isKnown: true };
      name = entry.CNAME.toLowerCase().replace(/\.$/, '');
      continue;
    }
    records.push(
      ...dataOf(entry, type).map((data) => ({ ...common, type: Packet.TYPE[type], ...data }) as Answer),
    );
    return { records, isKnown: true };
  }
  return { records, isKnown: true };
}

const hasBelow = (zone: Zone, name: string): boolean =>
  Object.keys(zone).some((known) => known.endsWith(`.${name}`));

/** The entry `*` below the closest name that exists: RFC 4592 section 3.3.1. */
function wildcardFor(zone: Zone, name: string): ZoneEntry | undefined {
  if (hasBelow(zone, name)) return undefined;
  const labels = name.split('.');
  const closest = labels
    .map((_label, index) => labels.slice(index + 1).join('.'))
    .find((parent) => zone[parent] !== undefined || hasBelow(zone, parent));
  return closest === undefined ? undefined : zone[`*.${closest}`];
}

function dataOf(entry: ZoneRecords, type: (typeof types)[number]): object[] {
  if (type === 'A' || type === 'AAAA') return (entry[type] ?? []).map((address) => ({ address }));
  if (type === 'MX')
    return (entry.MX ?? []).map((record) => {
      const [priority, exchange] = record.split(' ');
      return { priority: Number(priority), exchange };
    });
  if (type === 'TXT')
    return (entry.TXT ?? []).map((text) => ({
      data: typeof text === 'string' ? splitText(text) : text,
    }));
  if (type === 'CAA')
    return (entry.CAA ?? []).map((record) => {
      const [tag, value] = record.split(' ');
      return { flags: 0, tag, value };
    });
  return [];
}

/** Strings of 255 bytes, which may end within a character. */
function splitText(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  const count = Math.max(1, Math.ceil(bytes.length / 255));
  return Array.from({ length: count }, (_, n) => bytes.subarray(n * 255, (n + 1) * 255));
}
