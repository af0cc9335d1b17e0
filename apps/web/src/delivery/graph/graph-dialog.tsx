import type { TouchpointEvent } from '@reachout/contract/event-graph.ts';
import type { Connection } from '@reachout/contract/rules/connections.ts';
import { ConnectionForm } from './connection-form.tsx';
import type { Beginning } from './use-connection-form.ts';
import { ReactionsDrawer, type OpenedReactions } from './reaction-list.tsx';
import { RemoveDialog, SwitchDialog } from './effect-dialogs.tsx';

/** What is open above a graph. */
export type OpenedGraph =
  | { kind: 'connect'; beginning?: Beginning }
  | { kind: 'edit' | 'addListener' | 'switch' | 'remove'; connection: Connection }
  | ({ kind: 'reactions' } & OpenedReactions);

interface Props {
  opened: OpenedGraph;
  /** Whose touchpoints can be connected; of a connection that is there, its own. */
  place: Pick<TouchpointEvent, 'campaign' | 'brand' | 'client'> | undefined;
  onClose: () => void;
  onOpen: (next: OpenedGraph) => void;
}

export function GraphDialog({ opened, place, onClose, onOpen }: Props) {
  switch (opened.kind) {
    case 'connect':
      return place && <ConnectionForm place={place} beginning={opened.beginning} onClose={onClose} />;
    case 'edit':
      return (
        <ConnectionForm
          place={opened.connection.event}
          connection={opened.connection}
          onClose={onClose}
          onReactions={(reactions) => onOpen({ kind: 'reactions', ...reactions })}
        />
      );
    case 'addListener':
      return (
        <ConnectionForm
          place={opened.connection.event}
          connection={{ ...opened.connection, listener: null }}
          onClose={onClose}
        />
      );
    case 'switch':
      return <SwitchDialog connection={opened.connection} onClose={onClose} />;
    case 'remove':
      return <RemoveDialog connection={opened.connection} onClose={onClose} />;
    default:
      return <ReactionsDrawer {...opened} onClose={onClose} />;
  }
}
