import type { Item } from '@reachout/contract/content.ts';
import { useMutation } from '@tanstack/react-query';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { client } from '#web/platform/api.ts';
import { compact } from '#web/platform/list-search.ts';
import { isProblem } from '#web/platform/problem.ts';
import { valueText } from '#web/ui/value-text.ts';
import { isSameValue } from './item-values.ts';

/** Another user has changed the same fields since the item was loaded. */
export interface Conflict {
  theirs: Item;
  fields: string[];
}

/** Maximum number of attempts to repeat a change after another user has changed other fields. */
const maxAttempts = 3;

/**
 * Changes fields of an item, unless another user has changed one of them since: changes to different fields are merged. For
 * backends whose items have no modification time, the item is read first.
 * @returns `save`, which resolves with the conflict if nothing was stored, otherwise undefined
 */
export function useSaveItem(collection: string) {
  const { api, orgId } = useOrganization();
  const update = useMutation(api.content.updateItem.mutationOptions());
  const save = async (known: Item, data: Item, attempt = 1): Promise<Conflict | undefined> => {
    const place = { organization_id: orgId, collection, key: valueText(known['id']) };
    const version = known['date_updated'];
    const send = (if_date_updated?: string) =>
      update.mutateAsync(compact({ ...place, data, if_date_updated }));
    if (typeof version === 'string') {
      try {
        await send(version);
        return undefined;
      } catch (error) {
        if (!isProblem(error) || error.code !== 'changed_elsewhere' || attempt === maxAttempts) throw error;
      }
    }
    const { data: theirs } = await client.content.item(place);
    const fields = Object.keys(data).filter(
      (name) => !isSameValue(theirs[name], known[name]) && !isSameValue(theirs[name], data[name]),
    );
    if (fields.length > 0) return { theirs, fields };
    if (typeof version === 'string') return await save(theirs, data, attempt + 1);
    await send();
    return undefined;
  };
  return { save, isPending: update.isPending };
}
