import { InboundFull } from '../../email/inbound/inbound-full.ts';
import type { InboundMail } from '../../email/inbound/returned-mail.ts';
import type { PipelinedDatabase } from '../../platform/database/pipelined.ts';
import { insertReturnedMail } from './returned-mail.queries.ts';

/**
 * Stores a message, which is read later.
 * @throws InboundFull  too much waits already
 */
export async function storeInbound(db: PipelinedDatabase, mail: InboundMail): Promise<void> {
  if (!(await insertReturnedMail(db, mail))) throw new InboundFull();
}
