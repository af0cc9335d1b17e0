import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { Packet } from 'dns2';
import { attempt } from '../../platform/attempt.ts';

/** Why a resolver gives no answer, where it is the zone's fault. */
export interface DnsFault {
  /** `dnssec`: its signatures cannot be verified; `unreachable`: none of its name servers answers for it. */
  kind: 'dnssec' | 'unreachable';
  /** What the resolver says of it, for people who know the DNS; empty if nothing. */
  detail: string;
}

/** Codes of RFC 8914 section 4, and of its registry. */
const dnssecErrors: ReadonlySet<number> = new Set([1, 2, 5, 6, 7, 8, 9, 10, 11, 12, 25, 27]);
const unreachableErrors: ReadonlySet<number> = new Set([22, 23]);

const maxDetailLength = 200;

/**
 * Asks a resolver that failed (SERVFAIL) again, in two queries: for the reason (extended errors, RFC 8914), and for an answer
 * that it has not verified (CD, RFC 4035 section 3.2.2). The resolvers of Node.js can do neither.
 * @param server  `address` or `address:port`, as in DNS_SERVERS
 * @returns undefined if that does not tell
 */
export async function findDnsFault(
  server: string,
  question: { name: string; type: DnsQueryType },
  timeoutMs: number,
): Promise<DnsFault | undefined> {
  const [failed, unverified] = await Promise.all([
    ask(server, question, { isUnverified: false, timeoutMs }),
    ask(server, question, { isUnverified: true, timeoutMs }),
  ]);
  if (failed?.header.rcode !== Packet.RCODE.SERVFAIL) return undefined;
  const errors = errorsOf(failed);
  const detail = errors.map(describe).join(', ').slice(0, maxDetailLength);
  const answersUnverified =
    unverified?.header.rcode === Packet.RCODE.NOERROR || unverified?.header.rcode === Packet.RCODE.NXDOMAIN;
  if (answersUnverified || errors.some(({ infoCode }) => dnssecErrors.has(infoCode)))
    return { kind: 'dnssec', detail };
  return errors.some(({ infoCode }) => unreachableErrors.has(infoCode))
    ? { kind: 'unreachable', detail }
    : undefined;
}

export type DnsQueryType = 'A' | 'AAAA' | 'CNAME' | 'MX' | 'TXT' | 'CAA';

/** @returns undefined without an answer */
function ask(
  server: string,
  { name, type }: { name: string; type: DnsQueryType },
  { isUnverified, timeoutMs }: { isUnverified: boolean; timeoutMs: number },
): Promise<Packet | undefined> {
  const { address, port } = readServer(server);
  const query = new Packet();
  // The types of the package do not know `cd`.
  const header: object = { id: Packet.uuid(), rd: 1, cd: isUnverified ? 1 : 0 };
  query.header = new Packet.Header(header);
  query.questions.push(new Packet.Question(name, Packet.TYPE[type], Packet.CLASS.IN));
  query.additionals.push(Packet.Resource.EDNS([]));
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  return new Promise<Packet | undefined>((resolve) => {
    const timer = setTimeout(() => resolve(undefined), timeoutMs);
    socket.once('close', () => clearTimeout(timer));
    socket.on('error', () => resolve(undefined));
    // Connected: what comes from elsewhere is not received. Not as a callback, which would get the error of a failed one, too.
    socket.once('connect', () => socket.send(query.toBuffer()));
    socket.connect(port, address);
    socket.on('message', (message) => {
      const response = parse(message);
      if (response?.header.id === query.header.id) resolve(response);
    });
  }).finally(() => socket.close());
}

const parse = (message: Buffer): Packet | undefined => attempt(() => Packet.parse(message), undefined);

function readServer(server: string): { address: string; port: number } {
  if (isIPv6(server)) return { address: server, port: 53 };
  const [, address = server, port = '53'] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(server) ?? [];
  return { address, port: Number(port) };
}

/** An extended error (RFC 8914), as the package reads it. */
interface ExtendedError {
  ednsCode: number;
  infoCode: number;
  extraText: string;
}

const errorsOf = ({ additionals }: Packet): ExtendedError[] =>
  additionals
    .filter(({ type }) => type === Packet.TYPE.EDNS)
    .flatMap(({ rdata }) => (Array.isArray(rdata) ? (rdata as ExtendedError[]) : []))
    .filter(({ ednsCode }) => ednsCode === Packet.EDNS_OPTION_CODE.EDE);

function describe({ infoCode, extraText }: ExtendedError): string {
  const name = (Packet.EDE_NAME[infoCode] ?? '').toLowerCase().replaceAll('_', ' ');
  const text = extraText.replaceAll(/\p{C}+/gu, ' ').trim();
  return [`EDE ${infoCode}`, name, text].filter((part) => part !== '').join(': ');
}
