/** `copy`: everything that is known about an address, as a file; `erasure`: all of it is erased. */
export const dataRequestKinds = ['copy', 'erasure'] as const;
export type DataRequestKind = (typeof dataRequestKinds)[number];

/**
 * The owner of the address confirms a request by mail, and a worker then runs it. It waits for a member if the organization's
 * Directus refuses or cannot be reached: the member has it tried again, or has erased the contact there and says so. An erasure
 * also waits while a send with a message to the person is not over.
 */
export const dataRequestStates = ['unconfirmed', 'running', 'waiting', 'done', 'failed'] as const;
export type DataRequestState = (typeof dataRequestStates)[number];

/** Whether a member has to have it tried again, or say that the rest was done by hand. */
export const needsMember = ({ state }: { state: DataRequestState }): boolean =>
  state === 'waiting' || state === 'failed';

/** As `failure` of an erasure that waits for sends: its worker goes on looking. */
export const messagesOpen = 'messages_open';

/** Whether a member may say that the rest was done by hand. An erasure must have erased all that is stored here. */
export const canComplete = (request: {
  kind: DataRequestKind;
  state: DataRequestState;
  failure: string | null;
}): boolean =>
  request.kind === 'copy'
    ? needsMember(request)
    : request.state === 'waiting' && request.failure !== messagesOpen;
