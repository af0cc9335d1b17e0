import type { TouchpointEvent } from '@reachout/contract/event-graph.ts';
import { recordLists } from '@reachout/contract/record-lists.ts';
import type { Connection } from '@reachout/contract/rules/connections.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ConnectionForm } from './connection-form.tsx';
import { EffectDialog } from './effect-dialogs.tsx';
import { useGraphWords } from './graph-words.ts';
import { ReactionsDrawer, type OpenedReactions } from './reaction-list.tsx';
import type { Beginning } from './use-connection-form.ts';

/** What is open above a graph. */
export type OpenedGraph =
  | { kind: 'connect'; beginning?: Beginning }
  /** For those who may not change it, its reactions; without a listener, to add one. */
  | { kind: 'edit'; connection: Connection }
  | { kind: 'switch' | 'remove'; connection: Connection }
  | ({ kind: 'reactions' } & OpenedReactions);

interface Props {
  opened: OpenedGraph;
  /** Whose touchpoints can be connected; of a connection that is there, its own. */
  place?: Pick<TouchpointEvent, 'campaign' | 'brand' | 'client'>;
  onClose: () => void;
  onOpen: (next: OpenedGraph) => void;
}

export function GraphDialog({ opened, place, onClose, onOpen }: Props) {
  switch (opened.kind) {
    case 'connect':
      return place && <ConnectionForm place={place} beginning={opened.beginning} onClose={onClose} />;
    case 'edit':
      return <Edit {...opened} onClose={onClose} onOpen={onOpen} />;
    case 'switch':
    case 'remove': {
      const { kind, connection } = opened;
      const change = kind === 'remove' ? 'delete' : connection.event.is_active ? 'switch_off' : 'switch_on';
      return <EffectDialog connection={connection} change={change} onClose={onClose} />;
    }
    default:
      return <ReactionsDrawer {...opened} onClose={onClose} />;
  }
}

function Edit({ connection, onClose, onOpen }: Omit<Props, 'opened'> & { connection: Connection }) {
  const { can } = useOrganization();
  const words = useGraphWords([connection.event]);
  const owner = recordLists.touchpointEvents.ownerOf!(connection, {});
  const reactions = { name: words.nameOf(connection), of: words.reactionsOf(connection) };
  return can('update', 'Touchpoint', owner) && can('send', 'Touchpoint', owner) ? (
    <ConnectionForm
      place={connection.event}
      connection={connection}
      onClose={onClose}
      onReactions={() => onOpen({ kind: 'reactions', ...reactions })}
    />
  ) : (
    <ReactionsDrawer {...reactions} onClose={onClose} />
  );
}
