import { describeSendError } from '@reachout/contract/rules/send-errors.ts';
import { operations } from '../../identity/access/operations.ts';
import { parseAddress } from '../../email/addresses/address.ts';
import { rejectPlatformCollections } from '../../content/collections/item-input.ts';
import { findContacts, getContact } from '../../contacts/consent/find-contacts.ts';
import type { DirectusDeps } from '../../content/directus/connection.ts';
import { listPlaces, readMessages, type Place } from './timeline.queries.ts';

/** Timeline of one contact: messages with their results and events, and visits of websites. */
export const createTimelineRoutes = (deps: DirectusDeps) => ({
  timeline: operations.contacts.timeline.handler(async ({ input, context }) => {
    const { organizationId } = context;
    const { collection, key, cursor, client_id, brand_id, limit } = input;
    rejectPlatformCollections(collection);
    const contacts = await findContacts(deps, context, collection, [key]);
    return await context.transaction(async (trx) => {
      const { email } = await getContact(trx, contacts);
      const { places, isCut } = await listPlaces(trx, {
        organizationId,
        collection,
        key,
        address: addressOf(email),
        clientId: client_id,
        brandId: brand_id,
        before: cursor === undefined ? undefined : parseCursor(cursor),
        // One extra row shows whether there is a next page.
        limit: limit + 1,
      });
      const shown = places.slice(0, limit);
      const messages = new Map(
        (
          await readMessages(
            trx,
            organizationId,
            shown.filter(({ visit }) => visit === null),
          )
        ).map((message) => [
          `${message.send_id} ${message.seq}`,
          { ...message, error_content: message.error && describeSendError(message.error) },
        ]),
      );
      return {
        items: shown.flatMap(({ id, seq, visit }) => visit ?? messages.get(`${id} ${seq}`) ?? []),
        next: places.length > limit ? toCursor(shown.at(-1)!) : null,
        is_cut: isCut,
      };
    });
  }),
});

/** @returns the address by which single messages are looked up; null if it is invalid */
function addressOf(email: string | null): string | null {
  const parsed = email === null ? undefined : parseAddress(email);
  return parsed === undefined || 'error' in parsed ? null : parsed.address;
}

const toCursor = ({ at, id, seq }: Place): string => [at, id, seq].join('_');

function parseCursor(cursor: string): Place {
  const [at = '', id = '', seq = ''] = cursor.split('_');
  return { at, id, seq: Number(seq) };
}
