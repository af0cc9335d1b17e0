import type { Action } from '@reachout/contract/abilities.ts';
import type { Caller } from '../../identity/access/caller.ts';
import { limitedTransaction } from '../../identity/access/limited-transaction.ts';
import { listVisibleCollections } from '../built-in/collections.queries.ts';
import { listPlatformCollections, permissionsOn } from './platform-items.ts';
import { authorizeRest } from './rest-caller.ts';
import type { RestDeps } from './rest-handler.ts';

const actions = ['create', 'read', 'update', 'delete'] as const satisfies readonly Action[];

/** `GET /permissions/me`: what a token may do with each collection available to it. @throws the errors of `authorizeRest` */
export async function describePermissions(deps: RestDeps, caller: Caller) {
  const who = await authorizeRest(deps, caller, [['read', 'Content']], { opensToMembers: true });
  const own = await limitedTransaction(deps.db, who, (trx) =>
    listVisibleCollections(trx, who.organizationId, {}, { withHidden: true }),
  );
  const collections = [...own.map(({ collection }) => collection), ...listPlatformCollections(who, actions)];
  const accessTo = (collection: string, action: Action) => {
    const isAllowed =
      who.can(action, 'Content') && permissionsOn(collection, action).every((each) => who.can(...each));
    if (!isAllowed) return { access: 'none' };
    return { access: who.ownItemsOnly === true ? 'partial' : 'full', fields: ['*'] };
  };
  return Object.fromEntries(
    collections.map((collection) => [
      collection,
      Object.fromEntries(actions.map((action) => [action, accessTo(collection, action)])),
    ]),
  );
}
