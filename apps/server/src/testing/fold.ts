import { execute, type Database } from '../platform/database/database.ts';
import { foldEvents, foldVisits } from '../sample/events.ts';

/** Folds all that was appended, as the server does each second, after a fold that is running. */
export async function foldAll(db: Database): Promise<void> {
  const foldMessages = () =>
    db.transaction().execute(async (trx) => {
      await execute(trx)`select pg_advisory_xact_lock(message_fold_lock())`;
      return await foldEvents(trx, 'message', 10_000);
    });
  while ((await foldMessages()) > 0);
  await foldVisits(db);
}
