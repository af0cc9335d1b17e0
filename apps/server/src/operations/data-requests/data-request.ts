import { z } from 'zod';
import type { AddressRecords } from '../../contacts/consent/address-records.ts';
import type { JobKind } from '../../platform/jobs/job-kind.ts';
import { signRowToken, verifyRowToken, type RowRef } from '../../identity/access/row-tokens.ts';
import type { Secrets } from '../../platform/secrets.ts';

/** How long the link of the confirmation email can confirm. */
export const confirmableMs = 24 * 3_600_000;
/** Of the records of a copy. */
export const maxCopyBytes = 1_000_000_000;
/** The lists of a copy, in the order in which its file has them. */
export const copyLists = ['contacts', 'mentions', 'messages', 'visits', 'sign_ups', 'reactions'] as const;
export type CopyList = (typeof copyLists)[number];
/** As `failure` of an erasure that ended without erasing, because the person wanted emails again before its end. */
export const cameBack = 'came_back';

/** What a copy has beside its lists. */
export interface CopyAbout {
  address: string;
  made_at: string;
  /** Contacts in the organization's Directus; `not_read`: it could not be asked. */
  directus: 'not_used' | 'read' | 'not_read';
  is_cut: boolean;
  consent: AddressRecords;
}

export type DataRequestKey = RowRef;

export const dataRequestJobs: JobKind<{ request_id: string }> = {
  name: 'data_request',
  payload: z.strictObject({ request_id: z.string() }),
  maxOpen: 10_000,
  atLimit: 'unavailable',
};

export const jobOf = ({ organizationId, id }: DataRequestKey) => ({
  organizationId,
  key: id,
  payload: { request_id: id },
});

const purpose = 'data request link';

/** The token of the link in the confirmation email. */
export const toRequestToken = (secrets: Pick<Secrets, 'hash'>, key: DataRequestKey): string =>
  signRowToken(secrets, purpose, key);

export const readRequestToken = (
  secrets: Pick<Secrets, 'hashes'>,
  token: string,
): DataRequestKey | undefined => verifyRowToken(secrets, purpose, token);
