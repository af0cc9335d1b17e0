import { InboundFull } from '../../email/inbound/inbound-full.ts';
import { complaintsMailbox, providerMailbox, type InboundMail } from '../../email/inbound/returned-mail.ts';
import type { PipelinedDatabase } from '../../platform/database/pipelined.ts';
import {
  countReturnedMail,
  insertProviderEvents,
  insertReturnedMail,
  maxWaiting,
  maxWaitingComplaints,
  maxWaitingEvents,
  type WaitingMail,
} from './returned-mail.queries.ts';

/** What waits is counted this often, so that the cost of a message does not grow with it; each process adds its own meanwhile. */
const countedForMs = 1_000;

/**
 * Stores messages, which are read later.
 * @returns a function that throws InboundFull if too much waits already
 */
export function createInboundStore(db: PipelinedDatabase): (mail: InboundMail) => Promise<void> {
  let counted: Promise<WaitingMail> | undefined;
  let countedAt = 0;

  function count(): Promise<WaitingMail> {
    if (counted !== undefined && performance.now() < countedAt + countedForMs) return counted;
    countedAt = performance.now();
    const current = countReturnedMail(db);
    counted = current;
    // A failure is not kept.
    current.catch(() => {
      if (counted === current) counted = undefined;
    });
    return current;
  }

  return async (mail) => {
    const waiting = await count();
    if (mail.mailbox.startsWith(providerMailbox)) {
      if (waiting.events >= maxWaitingEvents) throw new InboundFull();
      waiting.events += 1;
      if (!(await insertProviderEvents(db, mail))) throw new InboundFull();
      return;
    }
    const isComplaint = mail.mailbox === complaintsMailbox;
    if (waiting.mail >= maxWaiting || (isComplaint && waiting.complaints >= maxWaitingComplaints))
      throw new InboundFull();
    waiting.mail += 1;
    if (isComplaint) waiting.complaints += 1;
    await insertReturnedMail(db, mail);
  };
}
