import { Alert, Button, Group, Select, Stack, Text } from '@mantine/core';
import type { ListedFilter } from '@reachout/contract/filters.ts';
import { IconPlus, IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { audienceCountQuery, countInput } from '#web/contacts/audiences/audience-count-query.ts';
import { AudienceBreakdown } from '#web/contacts/audiences/audience-breakdown.tsx';
import { useReadContacts } from '#web/contacts/audiences/use-read-contacts.ts';
import { SampleTable } from '#web/contacts/audiences/sample-table.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { ActionError, EmptyState, ErrorState } from '#web/ui/states.tsx';
import { DraftStatus } from './draft-status.tsx';
import type { EmailDraft } from './email-draft.ts';
import { AudienceChoiceSkeleton } from './email-skeletons.tsx';
import { InlineAudience } from './inline-audience.tsx';
import { NoOwnContacts } from './no-own-contacts.tsx';
import { chooseContacts } from './own-contacts.ts';

/** Selects an existing audience or creates one. The selection is saved at once. */
export function AudienceChoice({ draft }: { draft: EmailDraft }) {
  const { t } = useTranslation(['touchpoints', 'audiences', 'common']);
  const { api, orgId, can } = useOrganization();
  const { touchpoint, canEdit } = useTouchpoint();
  const [isMaking, setMaking] = useState<boolean>();
  const lists = useQuery(
    api.content.collections.queryOptions({
      input: { organization_id: orgId, brand_id: touchpoint.brand.id },
      enabled: can('read', 'Content'),
    }),
  );
  // Unknown while loading, and for users who cannot read contacts.
  const people = lists.data && (chooseContacts(lists.data.data) === undefined ? 'none' : 'some');
  const filters = useQuery(
    api.filters.list.queryOptions({
      input: {
        organization_id: orgId,
        brand_id: touchpoint.brand.id,
        order: 'updated_at.desc',
        page: 0,
        page_size: 500,
      },
    }),
  );
  const canMake = canEdit && can('create', 'Filter') && can('read', 'Content');
  const toOption = ({ id, name, is_active }: ListedFilter) => ({
    value: id,
    label: is_active ? name : `${name} (${t('common:status.inactive')})`,
  });
  const use = async (id: string) => {
    setMaking(false);
    await draft.save({ filter_id: id });
  };
  return (
    <AsyncRegion query={filters} what={t('words.audience')} skeleton={<AudienceChoiceSkeleton />}>
      {({ items }) => {
        const isOpen = draft.email.filter_id === null;
        const own = items.filter(({ client_id }) => client_id !== null);
        // Until there is an audience of the client, its people are offered, never those that all clients share.
        if (canMake && (isMaking ?? (isOpen && own.length === 0 && people === 'some')))
          return (
            <InlineAudience
              onSaved={({ id }) => use(id)}
              {...(items.length === 0 && people === 'some' ? {} : { onCancel: () => setMaking(false) })}
            />
          );
        if (canMake && isOpen && lists.isPending) return <AudienceChoiceSkeleton />;
        const isMissing = canEdit && isOpen && own.length === 0 && people === 'none';
        const hasPeople = lists.data?.data.some((list) => list.has_contacts && list.item_count > 0) !== false;
        if (items.length === 0 && !canMake)
          return (
            <EmptyState
              icon={IconUsersGroup}
              title={t('audience.noFilters')}
              text={t('audiences:empty.body')}
            />
          );
        return (
          <Stack gap="lg" maw={760} data-read-only={!canEdit || undefined}>
            {isMissing && <NoOwnContacts hasShared={items.length > 0 || hasPeople} />}
            <Group align="flex-end" gap="sm">
              {items.length > 0 && (
                <Select
                  searchable
                  flex="1 1 260px"
                  label={t('words.audience')}
                  placeholder={t('audience.none')}
                  readOnly={!canEdit}
                  value={draft.email.filter_id}
                  onChange={(value) => value !== null && void use(value)}
                  data={[
                    { group: touchpoint.client.name, items: own.map(toOption) },
                    {
                      group: t('audience.shared'),
                      items: items.filter(({ client_id }) => client_id === null).map(toOption),
                    },
                  ].filter((group) => group.items.length > 0)}
                />
              )}
              {canMake && hasPeople && (
                <Button leftSection={<IconPlus size={16} />} onClick={() => setMaking(true)}>
                  {t('audience.newAudience')}
                </Button>
              )}
            </Group>
            <Reached filterId={draft.email.filter_id} />
            {canEdit && (
              <DraftStatus
                draft={draft}
                hasChanges={false}
                isInvalid={false}
                onTakeTheirs={() => void draft.takeTheirs()}
              />
            )}
          </Stack>
        );
      }}
    </AsyncRegion>
  );
}

/** The number of recipients of the selected audience for this brand. */
function Reached({ filterId }: { filterId: string | null }) {
  const { t } = useTranslation(['touchpoints', 'audiences']);
  const scope = useOrganization();
  const { api, orgId } = scope;
  const { touchpoint } = useTouchpoint();
  const filter = useQuery(
    api.filters.get.queryOptions({ input: { id: filterId ?? '' }, enabled: filterId !== null }),
  );
  const count = useQuery(audienceCountQuery(scope, touchpoint.brand.id, filter.data));
  const read = useReadContacts(countInput(touchpoint.brand.id, filter.data));
  const fields = useQuery(
    api.content.fields.queryOptions({
      input: { organization_id: orgId, collection: filter.data?.collection ?? '' },
      enabled: filter.data !== undefined && (count.data?.sample.length ?? 0) > 0,
    }),
  );
  if (filterId === null) return null;
  return (
    <>
      <LinkAnchor
        size="sm"
        to="/o/$orgId/audiences/$audienceId"
        params={{ orgId, audienceId: filterId }}
        search={{ email: touchpoint.id }}
      >
        {t('audience.openAudience')}
      </LinkAnchor>
      {count.isError && count.data === undefined ? (
        <ErrorState error={count.error} what={t('words.audience')} onRetry={() => void count.refetch()} />
      ) : (
        <AudienceBreakdown
          numbers={count.data}
          busy={count.isPlaceholderData}
          reading={count.data?.reading}
          onRead={read}
        />
      )}
      <ActionError error={read.error} />
      {count.data?.will_receive === 0 && (
        <Alert color="yellow">
          <Text size="sm">{t('audiences:nobody')}</Text>
        </Alert>
      )}
      {count.data && (
        <SampleTable
          sample={count.data.sample}
          fields={fields.data?.data ?? []}
          rule={filter.data?.rule ?? {}}
        />
      )}
    </>
  );
}
