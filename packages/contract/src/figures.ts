import { z } from 'zod';
import { sendOutcomes } from './states/send.ts';
import { id, timestamp } from './values.ts';

/**
 * Results of all sends of a record, tests excluded: docs/statistics.md, "Figures in lists". They equal the numbers shown for
 * the sends and in the statistics of its emails.
 */
export const Figures = z.object({
  recipients: z.number(),
  /** Accepted by the mail server, and not bounced since. */
  delivered: z.number(),
  /** Of the delivered ones, those whose opens and clicks are not measured. */
  not_measured: z.number(),
  /** Messages opened by a person; null for callers who cannot read statistics. */
  opened: z.number().nullable(),
  /** Messages in which a person clicked a link; null for callers who cannot read statistics. */
  clicked: z.number().nullable(),
  /** Messages that led to a conversion; null for callers who cannot read statistics. */
  converted: z.number().nullable(),
  /** All conversions on websites of the record; null for callers who cannot read statistics. */
  conversions: z.number().nullable(),
  /** The email whose preview represents the record: the last one sent, or else the newest. */
  email_touchpoint_id: id.nullable(),
  /** The record's latest send by start, past or planned, without follow-ups and tests; null before the first. */
  last_send: z
    .object({
      id,
      touchpoint_id: id,
      outcome: z.enum(sendOutcomes),
      /** Recipients whom it did not reach; 0 until it has ended. */
      not_delivered: z.number(),
      /** Scheduled or actual start; the planned time if it starts before that, in the time zones of contacts. */
      at: timestamp,
      /** Name of the person who confirmed the send; null if the account was deleted. */
      by: z.string().nullable(),
    })
    .nullable(),
});
export type Figures = z.infer<typeof Figures>;

/** Figures of a record in a list: null for callers who cannot read touchpoints. */
export const listedFigures = { figures: Figures.nullable() };
