/** States of a content item that is sent on a schedule. */
export const itemStatuses = ['scheduled', 'sending', 'sent', 'failed', 'cancelled'] as const;
export type ItemStatus = (typeof itemStatuses)[number];
