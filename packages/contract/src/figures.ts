import { z } from 'zod';
import { sendOutcomes } from './states/send.ts';
import { id, timestamp } from './values.ts';

/**
 * What became of all sends of a record but tests: docs/statistics.md, "Figures in lists". The same numbers as the sends and
 * the statistics of its emails have.
 */
export const Figures = z.object({
  recipients: z.number(),
  /** Accepted by the mail server, and not bounced since. */
  delivered: z.number(),
  /** Messages that a person opened; null for those who may not read statistics. */
  opened: z.number().nullable(),
  /** Messages of which a person followed a link; null for those who may not read statistics. */
  clicked: z.number().nullable(),
  /** The email whose picture stands for the record: the one that was sent last, or else the newest. */
  email_touchpoint_id: id.nullable(),
  /** The one by which the record's newest email went out, or will; null before the first. */
  last_send: z
    .object({
      id,
      touchpoint_id: id,
      outcome: z.enum(sendOutcomes),
      /** When it starts or started. */
      at: timestamp,
      /** The name of the person who confirmed it; null once the account is gone. */
      by: z.string().nullable(),
    })
    .nullable(),
});
export type Figures = z.infer<typeof Figures>;

/** Of a record in a list: null for those who may not read touchpoints. */
export const listedFigures = { figures: Figures.nullable() };
