import { newId } from '../../../platform/ids.ts';
import { newToken } from '../../../platform/secrets.ts';
import type { Channel } from '../channel.ts';
import { insertTouchpointWebsite } from './touchpoint-website.queries.ts';

/** A tracked site. */
export const website: Channel = {
  create: (trx, { id, organization_id }) =>
    insertTouchpointWebsite(trx, { id: newId(), organization_id, touchpoint_id: id, token: newToken() }),
  // Each site has a separate id, and there is nothing else to copy yet.
  copy: () => Promise.resolve(),
  releaseItems: () => Promise.resolve(),
  review: null,
  findAudience: null,
  emits: [],
};
