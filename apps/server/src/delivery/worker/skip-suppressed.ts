import type { PipelinedDatabase } from '../../platform/database/pipelined.ts';
import { listSuppressed } from '../../queue/list-suppressed.queries.ts';
import type { Batch } from './batch.ts';

/** Finds recipients of a batch that were suppressed after the lease and not started, so that they are skipped. */
export async function skipSuppressed(pipelined: PipelinedDatabase, batch: Batch): Promise<void> {
  const seqs = batch.unstarted();
  if (seqs.length === 0) return;
  for (const address of await listSuppressed(pipelined, batch.send.ref, seqs)) batch.suppressed.add(address);
}
