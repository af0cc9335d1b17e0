import { Group, Select, Text } from '@mantine/core';
import type { Collection } from '@reachout/contract/content.ts';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { valueText } from '#web/ui/value-text.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import type { client } from '#web/platform/api.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { PreviewSkeleton } from '#web/ui/page-skeletons.tsx';
import { PreviewFrame } from '#web/ui/preview-frame.tsx';

type Rendered = Awaited<ReturnType<typeof client.templates.preview>>;

interface Props {
  query: UseQueryResult<Rendered>;
  /** Those that can use the template, if it belongs to none. */
  brands: readonly { id: string; name: string }[];
  brand: string | undefined;
  onBrand: (id: string) => void;
  /** The lists of contacts to choose from, and the one in use. */
  lists: readonly Pick<Collection, 'collection'>[];
  collection: string | undefined;
  onList: (collection: string) => void;
  contact: string | undefined;
  onContact: (id: string | undefined) => void;
}

const warnBytes = 90_000;
const offered = 20;

export function TemplatePreview({
  query,
  brands,
  brand,
  onBrand,
  lists,
  collection = '',
  onList,
  contact,
  onContact,
}: Props) {
  const { t } = useTranslation('templates');
  const nameOf = useCollectionName();
  const format = useFormat();
  // The last version that could be rendered stays, so that a syntax error does not clear the preview.
  const [good, setGood] = useState<Rendered>();
  if (query.data && query.data.html !== '' && query.data !== good) setGood(query.data);
  const { api, orgId } = useOrganization();
  const contacts = useQuery(
    api.content.items.queryOptions({
      input: { organization_id: orgId, collection, limit: offered, page: 1 },
      enabled: collection !== '',
      retry: false,
    }),
  );
  const people = (contacts.data?.data ?? []).map((item) => ({
    value: valueText(item['id']),
    label: valueText(item['email'] ?? item['id']),
  }));
  return (
    <div>
      {brands.length > 1 && (
        <Select
          searchable
          allowDeselect={false}
          mb="sm"
          label={t('previewBrand')}
          value={brand ?? null}
          onChange={(value) => value !== null && onBrand(value)}
          data={brands.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      {lists.length > 1 && (
        <Select
          searchable
          allowDeselect={false}
          mb="sm"
          label={t('words.contactsFrom')}
          value={collection}
          onChange={(value) => value !== null && onList(value)}
          data={lists.map((list) => ({ value: list.collection, label: nameOf(list.collection) }))}
        />
      )}
      <Select
        searchable
        clearable
        mb="sm"
        label={t('words.previewAs')}
        placeholder={t('nobody')}
        value={contact ?? null}
        onChange={(value) => onContact(value ?? undefined)}
        data={people}
      />
      <AsyncRegion query={query} what={t('preview.title')} skeleton={<PreviewSkeleton />}>
        {(latest) => {
          const isBroken = latest.html === '' && good !== undefined;
          const rendered = isBroken ? good : latest;
          const bytes = new TextEncoder().encode(rendered.html).length;
          return (
            <>
              <PreviewFrame
                html={rendered.html}
                text={rendered.text}
                title={t('preview.title')}
                busy={query.isPlaceholderData || isBroken}
              />
              {isBroken && (
                <Text size="xs" c="var(--app-warning)" mt="xs" role="status">
                  {t('lastGood')}
                </Text>
              )}
              <Group gap="xs" mt="xs">
                <Text size="xs" c={bytes > warnBytes ? 'var(--app-warning)' : 'dimmed'}>
                  {t('size', { size: format.size(bytes) })}
                </Text>
                {bytes > warnBytes && (
                  <Text size="xs" c="var(--app-warning)" role="status">
                    {t('sizeWarn')}
                  </Text>
                )}
              </Group>
            </>
          );
        }}
      </AsyncRegion>
    </div>
  );
}
