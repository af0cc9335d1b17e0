import { policyForAll } from '../email/transports/sender-policy.ts';

/** Every organization may send anything to anybody, as with the built-in mailbox. */
export const mailboxPolicies = policyForAll({
  transport: 'mailbox',
  senderDomains: [],
  dailyRecipientLimit: 0,
  bounceDomain: 'bounce.example',
  publicUrl: 'http://localhost:3000',
});
