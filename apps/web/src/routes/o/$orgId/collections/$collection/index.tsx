import { Button, Group, Menu, Modal, Text, UnstyledButton } from '@mantine/core';
import type { Field, Item } from '@reachout/contract/content.ts';
import { IconDatabase, IconFileImport, IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '#web/platform/api.ts';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { byImportance } from '#web/content/collections/field-order.ts';
import { ItemForm } from '#web/content/collections/item-form.tsx';
import { useFormat, type Format } from '#web/i18n/format.ts';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/organization-context.ts';
import { LinkAnchor, LinkButton } from '#web/platform/links.tsx';
import { checked, compact, type Change } from '#web/platform/list-search.ts';
import { refreshOrganization } from '#web/platform/refresh.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { notify } from '#web/ui/notify.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { ResultCount } from '#web/ui/result-count.tsx';
import { RowMenu } from '#web/ui/row-menu.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { ActionError, FirstUse, ForbiddenState, NoMatch } from '#web/ui/states.tsx';
import { valueText } from '#web/ui/value-text.ts';
import { useAction } from '#web/ui/use-action.ts';

interface Search {
  search?: string;
  page?: number;
  order?: string;
}

export const Route = createFileRoute('/o/$orgId/collections/$collection/')({
  validateSearch: checked((raw): Search => {
    const page = Number(raw['page']);
    const order = raw['order'];
    return compact({
      search: typeof raw['search'] === 'string' && raw['search'] ? raw['search'].slice(0, 200) : undefined,
      page: Number.isInteger(page) && page > 1 ? page : undefined,
      order: typeof order === 'string' && /^[a-z][a-z0-9_]*\.(asc|desc)$/.test(order) ? order : undefined,
    });
  }),
  component: CollectionPage,
});

const pageSize = 20;
const stamps = new Set(['id', 'date_created', 'date_updated', 'user_created']);

function CollectionPage() {
  const { t } = useTranslation(['collections', 'common']);
  const format = useFormat();
  const nameOf = useCollectionName();
  const { collection } = Route.useParams();
  const { search, page = 1, order } = Route.useSearch();
  const navigate = Route.useNavigate();
  const go = (change: Change<Search>) => navigate({ search: (old) => compact({ ...old, ...change }) });
  const { api, orgId, can, canEver } = useOrganization();
  const [editing, setEditing] = useState<{ item?: Item }>();
  const [deleting, setDeleting] = useState<Item>();
  const action = useAction();
  const fields = useQuery(api.content.fields.queryOptions({ input: { organization_id: orgId, collection } }));
  const [by = '', direction] = (order ?? '').split('.');
  const query = useQuery(
    api.content.items.queryOptions({
      input: compact({
        organization_id: orgId,
        collection,
        search,
        sort: order ? `${direction === 'desc' ? '-' : ''}${by}` : undefined,
        limit: pageSize,
        page,
      }),
      placeholderData: keepPreviousData,
    }),
  );
  const importLink = can('create', 'Content') && (
    <LinkButton
      variant="default"
      to="/o/$orgId/collections/$collection/import"
      params={{ orgId, collection }}
      leftSection={<IconFileImport size={16} stroke={1.75} />}
    >
      {t('import')}
    </LinkButton>
  );
  const create = (
    <PermittedButton
      permission={['create', 'Content']}
      leftSection={<IconPlus size={16} stroke={1.75} />}
      onClick={() => setEditing({})}
    >
      {t('newItem')}
    </PermittedButton>
  );
  const total = query.data?.meta.filter_count ?? 0;
  const isEmpty = query.data?.meta.total_count === 0;

  return (
    <>
      <PageHeader
        title={nameOf(collection)}
        section={t('title')}
        crumbs={[
          <LinkAnchor key="collections" to="/o/$orgId/collections" params={{ orgId }}>
            {t('title')}
          </LinkAnchor>,
        ]}
        primary={isEmpty ? undefined : create}
      />
      <AsyncRegion query={fields} what={t('whatItems')}>
        {({ data: all }) => {
          const shown = all.filter((field) => !field.hidden && !stamps.has(field.field));
          if (shown.length === 0) return <ForbiddenState text={t('noFields')} />;
          return (
            <AsyncRegion query={query} what={t('whatItems')}>
              {({ data: items }) =>
                isEmpty ? (
                  <FirstUse
                    icon={<IconDatabase size={28} stroke={1.75} />}
                    title={t('empty.title')}
                    actions={
                      <>
                        {create}
                        {importLink}
                      </>
                    }
                  >
                    {t(canEver('create', 'Content') ? 'empty.body' : 'empty.reader')}
                  </FirstUse>
                ) : (
                  <>
                    <Group mb="md" justify="space-between">
                      <Group gap="md">
                        <SearchField
                          label={t('search')}
                          value={search ?? ''}
                          onSearch={(text) => void go({ search: text || undefined, page: undefined })}
                        />
                        <ResultCount count={total} active={search !== undefined} />
                      </Group>
                      {importLink}
                    </Group>
                    {total === 0 && search ? (
                      <NoMatch
                        text={t('noMatch', { search })}
                        onClear={() => void navigate({ search: {} })}
                      />
                    ) : (
                      <DataTable
                        label={nameOf(collection)}
                        columns={columnsOf(
                          shown,
                          format,
                          t,
                          can('update', 'Content') ? setEditing : undefined,
                        )}
                        rows={items}
                        rowKey={(item) => valueText(item['id'])}
                        order={order ?? ''}
                        onOrder={(next) => void go({ order: next, page: undefined })}
                        busy={query.isPlaceholderData}
                        {...(can('delete', 'Content')
                          ? {
                              rowActions: (item: Item) => (
                                <RowMenu name={valueText(item[shown[0]?.field ?? 'id'] ?? item['id'])}>
                                  <Menu.Item onClick={() => setEditing({ item })}>{t('editItem')}</Menu.Item>
                                  <Menu.Item c="var(--app-danger)" onClick={() => setDeleting(item)}>
                                    {t('common:actions.delete')}
                                  </Menu.Item>
                                </RowMenu>
                              ),
                            }
                          : {})}
                      />
                    )}
                    <Pager
                      page={page}
                      pageSize={pageSize}
                      total={total}
                      onPage={(next) => void go({ page: next })}
                    />
                  </>
                )
              }
            </AsyncRegion>
          );
        }}
      </AsyncRegion>
      {editing && fields.data && (
        <ItemForm
          key={valueText(editing.item?.['id'] ?? 'new')}
          collection={collection}
          fields={fields.data.data.filter((field) => !stamps.has(field.field))}
          item={editing.item}
          onClose={() => setEditing(undefined)}
        />
      )}
      <Modal
        opened={deleting !== undefined}
        onClose={() => setDeleting(undefined)}
        title={t('deleteItemTitle')}
        closeButtonProps={{ 'aria-label': t('common:actions.close') }}
      >
        <Text mb="lg">{t('deleteItemBody')}</Text>
        <ActionError error={action.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" data-autofocus onClick={() => setDeleting(undefined)}>
            {t('common:actions.cancel')}
          </Button>
          <Button
            color="red"
            loading={action.pending}
            onClick={() =>
              void action.run(async () => {
                await client.content.deleteItem({
                  organization_id: orgId,
                  collection,
                  key: valueText(deleting?.['id']),
                });
                setDeleting(undefined);
                await refreshOrganization(orgId);
                notify(t('itemDeleted'));
              })
            }
          >
            {t('common:actions.delete')}
          </Button>
        </Group>
      </Modal>
    </>
  );
}

type Translate = ReturnType<typeof useTranslation<['collections', 'common']>>['t'];

function columnsOf(
  fields: readonly Field[],
  format: Format,
  t: Translate,
  onEdit: ((editing: { item: Item }) => void) | undefined,
): Column<Item>[] {
  return fields.toSorted(byImportance).map((field, place) => ({
    key: field.field,
    header: field.field,
    sort: field.field,
    ...(isNumber(field) ? { align: 'end' as const } : {}),
    cell: (item) => {
      const text = cellText(item[field.field], field, format, t);
      return place === 0 && onEdit ? (
        <UnstyledButton className="row-button" onClick={() => onEdit({ item })}>
          {text}
        </UnstyledButton>
      ) : (
        text
      );
    },
  }));
}

const isNumber = (field: Field) => ['integer', 'bigInteger', 'float', 'decimal'].includes(field.type);

function cellText(value: unknown, field: Field, format: Format, t: Translate): string {
  if (value === null || value === undefined || value === '') return t('common:none');
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  if (typeof value === 'number') return format.number(value);
  if (typeof value === 'object') return JSON.stringify(value);
  const text = value as string;
  if (field.type === 'date') return format.date(text);
  return field.type === 'timestamp' ? format.dateTime(text) : text;
}
