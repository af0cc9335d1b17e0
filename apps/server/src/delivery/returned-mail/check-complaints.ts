import { sendError } from '@reachout/contract/rules/send-errors.ts';
import { listLately } from '../../events/store-events.ts';
import { notifyOwners } from '../../identity/memberships/notify-owners.ts';
import type { SendRef } from '../../identity/access/send-ref.ts';
import { inOrganization, type Database } from '../../platform/database/database.ts';
import { countAddresses, listAcceptedBeside } from '../../queue/accepted-messages.queries.ts';
import { pauseAll } from '../schedules/pause-all.ts';
import { enterPassedLimits } from './returned-mail.queries.ts';

/** With fewer accepted messages, one complaint says nothing about a rate. */
const leastAccepted = 1_000;
/** Gmail and Yahoo ask for less than 0.1 %, and filter what comes from 0.3 % on. */
const limits = { warn: 0.001, pause: 0.003 };

/**
 * Looks at the complaints about a brand's emails from one sender domain over seven days, after some came in: owners are told once
 * they are many, and the brand's sends from this domain pause, and do not start, before mail providers filter all of them. A limit
 * is acted on once in seven days, so that a member who resumes a send decides.
 */
export const checkComplaints = (db: Database, send: SendRef): Promise<void> =>
  inOrganization(db, send.organizationId, async (trx) => {
    const sends = await listAcceptedBeside(trx, send);
    const domain = sends.find(({ send_id }) => send_id === send.sendId)?.domain ?? '';
    const accepted = sends.reduce((sum, of) => sum + of.accepted, 0);
    // A person who complains of each message is one.
    const complained = await listLately(trx, 'COMPLAINT', send.organizationId, sends);
    const complaints = await countAddresses(trx, send.organizationId, complained);
    if (accepted < leastAccepted) return;
    const passed = Object.entries(limits).flatMap(([name, from]) =>
      complaints / accepted >= from ? [name] : [],
    );
    const due = await enterPassedLimits(trx, { ...send, domain }, passed);
    if (due.length === 0) return;
    const isPaused = due.includes('pause');
    const figures = { domain, accepted, complaints };
    await notifyOwners(trx, {
      kind: 'complaints',
      payload: { ...figures, is_paused: isPaused },
      validForMs: 7 * 86_400_000,
    });
    if (isPaused)
      await pauseAll(trx, { brandId: send.brandId, domain }, sendError('many_complaints', figures));
  });
