import type { TokenSigner } from '../links/tokens.ts';
import { complaintsMailbox } from './returned-mail.ts';

export type MailboxKind = 'return_path' | 'unsubscribe' | 'complaint';

/**
 * @param mailbox  local part of an address in lower case
 * @returns undefined unless it is one of ours: with a token that proves that a message of ours named it
 */
export function mailboxKindOf(mailbox: string, signer: Pick<TokenSigner, 'verify'>): MailboxKind | undefined {
  if (mailbox === complaintsMailbox) return 'complaint';
  const [, prefix, token = ''] = /^(b\.|u\+)([\w-]{1,60})$/.exec(mailbox) ?? [];
  const purpose = prefix === 'b.' ? 'return_path' : 'unsubscribe';
  return signer.verify(purpose, token) === undefined ? undefined : purpose;
}
