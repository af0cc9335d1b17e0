import type { Handover, TransportResult } from './transport.ts';

const nothing = (): void => undefined;

/** Of a message whose text has not left: there is nothing to settle. */
export const unsent = (result: TransportResult): Handover => ({ result, settle: nothing });

export const withdrawn: TransportResult = {
  outcome: 'withdrawn',
  reason: 'The message was taken back before it left.',
};

export const notSent = (reason: string): Handover => unsent({ outcome: 'not_sent', reason });
