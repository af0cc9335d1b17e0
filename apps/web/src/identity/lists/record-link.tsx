import type { AnchorProps } from '@mantine/core';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import type { RecordPage } from '#web/identity/lists/record-pages.ts';

interface Props {
  page: RecordPage;
  id: string;
  name: string;
  c?: NonNullable<AnchorProps['c']>;
}

/** The name of a record in its row, linked to its page. */
export function RecordLink({ page, id, name, ...look }: Props) {
  const { orgId } = useOrganization();
  return (
    <LinkAnchor {...page(orgId, id)} title={name} {...look}>
      {name}
    </LinkAnchor>
  );
}
