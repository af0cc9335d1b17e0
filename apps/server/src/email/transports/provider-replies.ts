import type { BounceClass } from '@reachout/contract/statuses.ts';
import { toRejection } from '../smtp/smtp-reply.ts';
import type { OutgoingMessage, TransportResult } from './transport.ts';

/** What providers say of the account or the message as a whole; what they say of addresses, mail servers say as well. */
const classes: readonly (readonly [RegExp, BounceClass])[] = [
  [
    /\b(?:account|sending|tenant)\b.{0,60}\b(?:suspended|paused|blocked|disabled|under review|restricted|banned)\b/is,
    'reputation',
  ],
  [/\bnot (?:been |yet )?(?:verified|validated|confirmed)\b|\bunverified\b/i, 'authentication'],
  [/\b(?:too (?:large|big)|exceeds? the (?:maximum|size)|maximum (?:email|message) size)\b/i, 'too_big'],
];

/**
 * The result of a message that a provider does not take, as if a mail server had said so.
 * @param words  of the provider (`toWords`)
 * @param given  the class, if the kind of error decides it
 */
export function rejectedByProvider(
  words: string,
  { envelopeFrom: sender, envelopeTo: recipient, fromDomain }: OutgoingMessage,
  given: { class?: BounceClass | undefined; permanent?: boolean } = {},
): TransportResult {
  const { permanent = true } = given;
  const envelope = { sender, recipient, fromDomain };
  const { result } = toRejection('message', { code: permanent ? 550 : 450, lines: [words] }, envelope);
  const known = given.class ?? classes.find(([pattern]) => pattern.test(words))?.[1];
  return { ...result, permanent, class: known ?? result.class };
}

/** The provider takes nothing for now: too many requests, or the quota of the day is used up. */
export const busyProvider = (words: string): TransportResult => ({
  outcome: 'rejected',
  permanent: false,
  code: 450,
  enhanced: null,
  text: words,
  stage: 'mail',
  class: 'transient',
  isServerBusy: true,
});

/** @returns the token of a message in its envelope sender, as `createEmailRenderer` writes it; undefined without one */
export const tokenOf = ({ envelopeFrom }: Pick<OutgoingMessage, 'envelopeFrom'>): string | undefined =>
  /^b\.([\da-z]{1,11}-[\da-z]{1,6}-[\da-z]{26})@/.exec(envelopeFrom)?.[1];
