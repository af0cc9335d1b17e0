// Types only: template processes cannot read the files of the contract.
import type { SendError } from '@reachout/contract/rules/send-errors.ts';

/** What happened when the messages of some recipients were built before a send, as plain data. */
export interface Trial {
  /** The number of recipients. */
  tried: number;
  /** Recipients whose message cannot be built, by reason. */
  failed: { error: SendError; count: number }[];
  /** Recipients whose subject is empty. */
  emptySubjects: number;
  /** Links that are shown and lead nowhere. `url` is that of the snapshot. */
  nowhere: { url: string; count: number }[];
  /** Fields that are printed and hold a list or an object, such as `contact.data`. */
  structures: { variable: string; count: number }[];
}
