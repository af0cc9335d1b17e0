import { newId } from '../../../platform/ids.ts';
import { newToken } from '../../../platform/secrets.ts';
import type { Channel } from '../channel.ts';
import { copyGoals } from './conversion-goals.ts';
import {
  getTouchpointWebsite,
  insertTouchpointWebsite,
  updateTouchpointWebsite,
} from './touchpoint-website.queries.ts';

/** A tracked site. */
export const website: Channel = {
  create: (trx, { id, organization_id }) =>
    insertTouchpointWebsite(trx, { id: newId(), organization_id, touchpoint_id: id, token: newToken() }),
  // The copy has an id and a token of its own.
  copy: async (trx, from, to) => {
    const { hosts } = await getTouchpointWebsite(trx, from.id);
    await updateTouchpointWebsite(trx, to.id, { hosts });
    await copyGoals(trx, from, to);
  },
  releaseItems: () => Promise.resolve(),
  review: null,
  findAudience: null,
  countedEvents: [],
};
