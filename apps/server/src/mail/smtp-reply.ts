export const bounceClasses = [
  'address_hard',
  'address_likely',
  'domain_hard',
  'routing_soft',
  'mailbox_full',
  'transient',
  'expired',
  'reputation',
  'authentication',
  'content',
  'too_big',
  'protocol',
  'unknown',
] as const;
export type BounceClass = (typeof bounceClasses)[number];
export type SmtpStage = 'mail' | 'rcpt' | 'data' | 'message';
