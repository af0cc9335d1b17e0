import { z } from 'zod';
import type { DataRequestKind, DataRequestState } from '@reachout/contract/states/data-request.ts';
import type { EmailLanguage } from '../../identity/account-email/account-email.ts';
import { equalSecrets } from '../../platform/equal-secrets.ts';
import { isUuid } from '../../platform/ids.ts';
import type { JobKind } from '../../platform/jobs/job-kind.ts';
import type { Secrets } from '../../platform/secrets.ts';

/** How long the link of the confirmation email can confirm. */
export const confirmableMs = 24 * 3_600_000;
/** In bytes. */
export const maxCopyBytes = 20_000_000;

/** A row of `data_requests`, without the copy. */
export interface DataRequestRow {
  organization_id: string;
  id: string;
  kind: DataRequestKind;
  brand_id: string;
  address_key: string | null;
  language: EmailLanguage;
  state: DataRequestState;
  requested_at: string;
  confirmed_at: string | null;
  ended_at: string | null;
  failure: string | null;
  error_content: string | null;
  has_copy: boolean;
}

export interface DataRequestKey {
  organizationId: string;
  id: string;
}

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
const namePattern = /^([\w-]{43})([\w-]{43})$/;

/**
 * The token of the link in the confirmation email: the name of the request and a keyed hash of it. It can be computed again
 * with SECRET_KEY, so that it is stored nowhere; a copy of the database does not contain what is needed for it.
 */
export function tokenOf(secrets: Pick<Secrets, 'hash'>, { organizationId, id }: DataRequestKey): string {
  const bytes = Buffer.from(`${organizationId}${id}`.replaceAll('-', ''), 'hex');
  const name = bytes.toString('base64url');
  return name + secrets.hash(purpose, name);
}

/** @returns undefined unless the token was made here */
export function readToken(secrets: Pick<Secrets, 'hashes'>, token: string): DataRequestKey | undefined {
  const [, name = '', mac = ''] = namePattern.exec(token) ?? [];
  if (name === '' || !secrets.hashes(purpose, name).some((hash) => equalSecrets(hash, mac))) return undefined;
  const hex = Buffer.from(name, 'base64url').toString('hex');
  const [organizationId, id] = [hex.slice(0, 32), hex.slice(32)].map((digits) =>
    digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  );
  return isUuid(organizationId) && isUuid(id) ? { organizationId, id } : undefined;
}
