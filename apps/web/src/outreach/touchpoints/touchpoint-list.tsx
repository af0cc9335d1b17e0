import { recordLists } from '@reachout/contract/record-lists.ts';
import { IconMail } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { RecordList } from '#web/identity/lists/record-list.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { recordPages } from '#web/identity/lists/record-pages.ts';
import { useTouchpointColumns } from './touchpoint-columns.tsx';
import { touchpointList, touchpointsQuery, type TouchpointsSearch } from './touchpoints-query.ts';

interface Props {
  of: { campaign_id: string } | { brand_id: string };
  search: TouchpointsSearch;
  empty: NonNullable<ComponentProps<typeof RecordList>['empty']>;
}

/** The touchpoints of one campaign or brand. */
export function TouchpointList({ of, search, empty }: Props) {
  return (
    <RecordList
      records={recordLists.touchpoints}
      query={useQuery(touchpointsQuery(useOrganization(), of, search))}
      list={touchpointList}
      header={false}
      texts="touchpoints"
      icon={IconMail}
      empty={empty}
      columns={useTouchpointColumns({ isGrouped: false })}
      columnsOf="touchpoints"
      nameOf={({ name }) => name}
      recordPage={recordPages.touchpoint}
    />
  );
}
