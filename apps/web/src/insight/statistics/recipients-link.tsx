import type { AnchorProps } from '@mantine/core';
import type { Send } from '@reachout/contract/sends.ts';
import type { ReactNode } from 'react';
import type { RecipientSearch } from '#web/delivery/sends/send-queries.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';

/** The only send of an email: the recipients of several are no single list. */
export type CountedSend = Pick<Send, 'id' | 'touchpoint_id'>;

interface Props extends Pick<AnchorProps, 'inherit' | 'c'> {
  send: CountedSend | undefined;
  search: RecipientSearch;
  children: ReactNode;
}

/** Link from a number to exactly the recipients that it counts. */
export function RecipientsLink({ send, search, children, ...looks }: Props) {
  const { orgId } = useOrganization();
  if (send === undefined) return children;
  return (
    <LinkAnchor
      to="/o/$orgId/touchpoints/$touchpointId/sends/$sendId"
      params={{ orgId, touchpointId: send.touchpoint_id, sendId: send.id }}
      search={search}
      hash="recipients"
      {...looks}
    >
      {children}
    </LinkAnchor>
  );
}
