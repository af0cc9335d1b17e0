import { cutText } from '@reachout/contract/rules/cut-text.ts';
import { openOwnTransport } from '../../email/transports/open-own-transport.ts';
import type { OpenOptions, OwnTransport } from '../../email/transports/own-transport.ts';
import type { ChosenTransport } from '../../email/transports/sender-policy.ts';
import type { MailTransport, TransportResult } from '../../email/transports/transport.ts';
import { inOrganization, type Database, type Transaction } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { OutboundClient } from '../../platform/outbound/outbound-client.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { countWorkers, findTransport, storeCheck, type TransportRow } from './transport.queries.ts';
import { checkNow, toOwnTransport } from './transports.ts';

export { hasTransports, leaseOfDay, returnOfDay } from './transport.queries.ts';

/** To a mail server of an organization, in one worker. */
const smtpConnections = 5;
/** To a provider that says nothing else, over all workers. */
const defaultOpenRequests = 10;
/** Limits of providers are read this often while a transport is open: others may send by the same account. */
const limitsMs = 5 * 60_000;

export interface OwnTransportDeps {
  db: Database;
  secrets: Secrets;
  outbound: OutboundClient;
  log: Log;
  endpoints?: OpenOptions['endpoints'];
}

/**
 * Opens a transport of an organization for sends. It notes on its row when its server or provider cannot be used, and when it can
 * again.
 * @throws Error if it was deleted, or its secret cannot be opened
 */
export async function openForSends(
  { db, secrets, outbound, log, endpoints }: OwnTransportDeps,
  organizationId: string,
  { id }: Pick<ChosenTransport, 'id'>,
): Promise<MailTransport> {
  const { row, own, workers } = await inOrganization(db, organizationId, async (trx) => {
    const found = await findTransport(trx, organizationId, id);
    if (found === undefined) throw new Error('The transport was deleted.');
    return {
      row: found,
      own: await toOwnTransport(trx, secrets, organizationId, found),
      workers: await countWorkers(trx),
    };
  });
  const openRequests = row.open_requests ?? defaultOpenRequests;
  const connections =
    own.settings.kind === 'smtp' ? smtpConnections : Math.max(1, Math.floor(openRequests / workers));
  const options: OpenOptions = { outbound, connections, endpoints };
  const note = (words: string | null, limits: Awaited<ReturnType<typeof checkNow>>['limits'] = null) =>
    inOrganization(db, organizationId, (trx) => storeCheck(trx, organizationId, row, words, limits)).catch(
      (error: unknown) => log.warn({ err: error, transport: id }, 'state of a transport not stored'),
    );
  const transport = await openOwnTransport(own, options);
  return watched(transport, {
    row,
    note,
    readLimits: async () => {
      const { limits, words } = await checkNow(own, options);
      await note(words, limits);
      return words;
    },
  });
}

interface Watch {
  row: Pick<TransportRow, 'error_content' | 'per_day' | 'left_today'>;
  note: (words: string | null) => Promise<void>;
  /** @returns what the provider said, if it cannot be used */
  readLimits: () => Promise<string | null>;
}

function watched(transport: MailTransport, { row, note, readLimits }: Watch): MailTransport {
  let words = row.error_content;
  // One after the other: what was seen last has to be what is stored.
  let noting = Promise.resolve();
  const inOrder = (work: () => Promise<void>) => {
    noting = noting.then(work).catch(() => undefined);
  };
  let isClosing = false;
  const see = (next: string | null) => {
    if (words === next || isClosing) return;
    words = next;
    inOrder(() => note(next));
  };
  const look = () => inOrder(async () => void (words = await readLimits()));
  const timer = row.per_day === null ? undefined : setInterval(look, limitsMs);
  timer?.unref();
  // A send that waits for the next day opens it again each minute, and no interval would end.
  if (row.left_today === 0) look();
  return {
    capacity: transport.capacity,
    ...(transport.evidenceMs !== undefined && { evidenceMs: transport.evidenceMs }),
    ...(transport.hasOneLane && { hasOneLane: true }),
    get usage() {
      return transport.usage;
    },
    async send(message) {
      const handover = await transport.send(message);
      const { result } = handover;
      const said = complaintOf(result);
      if (said !== undefined) see(said === null ? null : cutText(said, 500));
      return handover;
    },
    close: () => {
      isClosing = true;
      clearInterval(timer);
      return transport.close();
    },
  };
}

/** @returns undefined if it was deleted */
export async function findOwn(
  trx: Transaction,
  secrets: Secrets,
  organizationId: string,
  id: string,
): Promise<OwnTransport | undefined> {
  const row = await findTransport(trx, organizationId, id);
  return row && (await toOwnTransport(trx, secrets, organizationId, row));
}

/** @returns what a result says against the transport, null if it works; undefined if it is about the message */
function complaintOf(result: TransportResult): string | null | undefined {
  if (result.outcome === 'accepted') return null;
  if (result.outcome === 'not_sent') return result.reason;
  if (result.outcome === 'uncertain') return result.isUnsent === true ? undefined : result.reason;
  if (result.outcome !== 'rejected') return undefined;
  const isOfAccount = result.isServerBusy === true || result.class === 'reputation';
  return isOfAccount ? `${result.code} ${result.text}` : undefined;
}
