import { Alert, Button, Group, Select, Stack, Text, Title } from '@mantine/core';
import { IconArrowRight, IconUsersGroup } from '@tabler/icons-react';
import { useQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TouchpointEmail } from '@reachout/contract/touchpoints.ts';
import { EmailContent } from './email-content.tsx';
import { audienceCountQuery } from '#web/content/audiences/audience-count-query.ts';
import { AudienceBreakdown } from '#web/content/audiences/audience-breakdown.tsx';
import { SampleTable } from '#web/content/audiences/sample-table.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor, LinkButton } from '#web/platform/links.tsx';
import { UnsavedGuard } from '#web/ui/unsaved-guard.tsx';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { notify } from '#web/ui/notify.tsx';
import { ActionError, ErrorState, EmptyState } from '#web/ui/states.tsx';

export default function AudiencePanel() {
  return <EmailContent>{(email) => <Audience email={email} />}</EmailContent>;
}

function Audience({ email }: { email: TouchpointEmail }) {
  const { t } = useTranslation(['touchpoints', 'audiences', 'common']);
  const scope = useOrganization();
  const { api, orgId, canEver } = scope;
  const { touchpoint, canEdit } = useTouchpoint();
  const [chosen, setChosen] = useState(email.filter_id);
  const update = useMutation(
    api.touchpoints.updateEmail.mutationOptions({ onSuccess: () => notify(t('audience.used')) }),
  );
  const filters = useQuery(
    api.filters.list.queryOptions({ input: { organization_id: orgId, page: 0, page_size: 500 } }),
  );
  const filter = filters.data?.items.find((entry) => entry.id === chosen);
  const count = useQuery(audienceCountQuery(scope, touchpoint.brand.id, filter));
  const dirty = canEdit && chosen !== email.filter_id;
  const change = { id: touchpoint.id, filter_id: chosen };
  const save = () =>
    update.mutateAsync(change).then(
      () => true,
      () => false,
    );

  return (
    <AsyncRegion query={filters} what={t('audience.choose')}>
      {({ items }) =>
        items.length === 0 ? (
          <EmptyState
            icon={IconUsersGroup}
            title={t('audience.noFilters')}
            actions={
              canEver('create', 'Filter') && (
                <LinkButton to="/o/$orgId/audiences" params={{ orgId }} search={{ new: true }}>
                  {t('audience.newAudience')}
                </LinkButton>
              )
            }
            text={t('audiences:empty.body')}
          />
        ) : (
          <Stack gap="lg" maw={760}>
            <UnsavedGuard dirty={dirty} saving={update.isPending} onSave={save} />
            <Title order={2}>{t('audience.title')}</Title>
            <Select
              searchable
              label={t('audience.choose')}
              placeholder={t('audience.none')}
              readOnly={!canEdit}
              value={chosen}
              onChange={setChosen}
              data={items.map((entry) => ({
                value: entry.id,
                label: entry.is_active ? entry.name : `${entry.name} (${t('common:status.inactive')})`,
              }))}
            />
            {filter && (
              <>
                <LinkAnchor
                  size="sm"
                  to="/o/$orgId/audiences/$audienceId"
                  params={{ orgId, audienceId: filter.id }}
                >
                  {t('audience.openAudience')}
                </LinkAnchor>
                {count.isError && count.data === undefined ? (
                  <ErrorState
                    error={count.error}
                    what={t('audience.choose')}
                    onRetry={() => void count.refetch()}
                  />
                ) : (
                  <AudienceBreakdown numbers={count.data} busy={count.isPlaceholderData} />
                )}
                {count.data?.will_receive === 0 && (
                  <Alert color="yellow" variant="light">
                    {t('audiences:nobody')}
                  </Alert>
                )}
                {count.data && <SampleTable sample={count.data.sample} />}
              </>
            )}
            <ActionError error={update.error} title={t('common:error.saveFailed')} />
            {dirty && (
              <Text size="sm" c="dimmed">
                {t('audience.unsaved')}
              </Text>
            )}
            <Group justify="space-between">
              {canEdit && dirty ? (
                <Button loading={update.isPending} onClick={() => update.mutate(change)}>
                  {t('audience.use')}
                </Button>
              ) : (
                <span />
              )}
              <LinkButton
                to="/o/$orgId/touchpoints/$touchpointId/preview"
                params={{ orgId, touchpointId: touchpoint.id }}
                variant={dirty ? 'default' : 'filled'}
                rightSection={<IconArrowRight size={16} stroke={1.75} />}
              >
                {t('audience.next')}
              </LinkButton>
            </Group>
          </Stack>
        )
      }
    </AsyncRegion>
  );
}
