import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { compact } from '#web/platform/list-search.ts';
import type { ItemsSearch } from './item-queries.ts';
import type { ItemWords } from './item-words.ts';

interface Props {
  collection: string;
  search: ItemsSearch;
  /** Number of matching items. */
  count: number;
  /** Whether there are more than counted. */
  hasMore: boolean;
  words: ItemWords;
}

/** Exports all matching items of the list, from all pages, to a file. */
export function ItemExport({ collection, search: { search, filter }, count, hasMore, words }: Props) {
  const { t } = useTranslation('collections');
  const { orgId } = useOrganization();
  const hrefOf = (format: 'csv' | 'json') => {
    const rule = filter === undefined ? undefined : JSON.stringify(filter);
    const query = new URLSearchParams(compact({ format, search, filter: rule }));
    return `/api/content/${orgId}/exports/${collection}?${query.toString()}`;
  };
  if (count === 0) return null;
  return (
    <Menu>
      <Menu.Target>
        <Button leftSection={<IconDownload size={16} />} rightSection={<IconChevronDown size={14} />}>
          {t('export.title')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{words.count(count, hasMore)}</Menu.Label>
        <Menu.Item component="a" href={hrefOf('csv')} download>
          {t('export.csv')}
        </Menu.Item>
        <Menu.Item component="a" href={hrefOf('json')} download>
          {t('export.json')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
