import type { Handover, TransportResult } from './transport.ts';

const nothing = (): void => undefined;

/** Handover of a message whose text was not sent: there is nothing to settle. */
export const unsent = (result: TransportResult): Handover => ({ result, settle: nothing });

export const withdrawn: TransportResult = {
  outcome: 'withdrawn',
  reason: 'The message was taken back before it left.',
};

export const notSent = (reason: string): Handover => unsent({ outcome: 'not_sent', reason });
