import type { Touchpoint } from '@reachout/contract/touchpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { findLiveSend, liveSendsQuery } from './send-queries.ts';
import { SendStatusBadge } from './send-status-badge.tsx';

/** The status of a touchpoint; if it was sent, its outcome. */
export function TouchpointBadge({ touchpoint: { id, status } }: { touchpoint: Touchpoint }) {
  const isSent = status === 'sent';
  const { data, isPending } = useQuery({ ...liveSendsQuery(useOrganization(), id), enabled: isSent });
  // Takes the room of the usual outcome, so that the page below does not move once it is known.
  if (isSent && isPending)
    return (
      <span aria-hidden style={{ visibility: 'hidden' }}>
        <StatusBadge status={status} />
      </span>
    );
  const send = isSent ? findLiveSend(data?.items ?? []) : undefined;
  return send === undefined ? <StatusBadge status={status} /> : <SendStatusBadge send={send} />;
}
