import { sendError } from '@reachout/contract/rules/send-errors.ts';
import { listLately } from '../../events/store-events.ts';
import { notifyOwners } from '../../identity/memberships/notify-owners.ts';
import type { SendRef } from '../../identity/access/send-ref.ts';
import { inOrganization, type Database } from '../../platform/database/database.ts';
import { countAddresses, listAcceptedBeside } from '../../queue/accepted-messages.queries.ts';
import { pauseAll } from '../schedules/pause-all.ts';

/** With fewer accepted messages, one complaint says nothing about a rate. */
const leastAccepted = 1_000;
/** Gmail and Yahoo ask for less than 0.1 %, and filter what comes from 0.3 % on. */
const warnFrom = 0.001;
const pauseFrom = 0.003;

/**
 * Looks at the complaints about a brand's emails from one sender domain over seven days, after some were added: owners are told once
 * they are many, and the brand's sends from this domain pause, and do not start, before mail providers filter all of them.
 * @param added  complaints that have just been stored: a limit that was passed before is not acted on again
 */
export const checkComplaints = (db: Database, send: SendRef, added: number): Promise<void> =>
  inOrganization(db, send.organizationId, async (trx) => {
    const sends = await listAcceptedBeside(trx, send);
    const domain = sends.find(({ send_id }) => send_id === send.sendId)?.domain ?? '';
    const accepted = sends.reduce((sum, of) => sum + of.accepted, 0);
    // A person who complains of each message is one.
    const complained = await listLately(trx, 'COMPLAINT', send.organizationId, sends);
    const complaints = await countAddresses(trx, send.organizationId, complained);
    const isOver = (limit: number, count: number) => accepted >= leastAccepted && count / accepted >= limit;
    const passed = (limit: number) => isOver(limit, complaints) && !isOver(limit, complaints - added);
    if (!passed(warnFrom) && !passed(pauseFrom)) return;
    const figures = { domain, accepted, complaints };
    await notifyOwners(trx, {
      kind: 'complaints',
      payload: { ...figures, is_paused: passed(pauseFrom) },
      validForMs: 7 * 86_400_000,
    });
    if (passed(pauseFrom))
      await pauseAll(trx, { brandId: send.brandId, domain }, sendError('many_complaints', figures));
  });
