import { Group, Paper, Text, Title } from '@mantine/core';
import { useDocumentTitle, useHotkeys } from '@mantine/hooks';
import { IconBuildingSkyscraper, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { MyInvitations } from '#web/identity/organizations/my-invitations.tsx';
import { OrganizationCards } from '#web/identity/organizations/organization-cards.tsx';
import { myInvitationsQuery, organizationsQuery } from '#web/identity/organizations/organizations.ts';
import { LinkButton } from '#web/platform/links.tsx';
import { loadSettingsTexts } from '#web/i18n/i18n.ts';
import { requireSession } from '#web/identity/auth/guards.ts';
import { preload } from '#web/platform/preload.ts';
import { AccountFrame } from '#web/shell/account-frame.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { shortcutsOn } from '#web/ui/shortcuts.ts';
import { CardsSkeleton } from '#web/ui/skeletons.tsx';
import { ErrorState, EmptyState } from '#web/ui/states.tsx';
import { leftOffAt } from '#web/operations/onboarding/welcome-steps.ts';

export const Route = createFileRoute('/organizations')({
  beforeLoad: async ({ context, location }) => {
    await requireSession(context.queryClient, location.href);
    await loadSettingsTexts();
  },
  loader: () =>
    preload(async () => {
      const own = await import('#web/identity/organizations/organizations.ts');
      return [own.organizationsQuery, own.myInvitationsQuery];
    }),
  component: Organizations,
});

function Organizations() {
  const { t } = useTranslation(['organizations', 'onboarding', 'common']);
  const query = useQuery(organizationsQuery);
  const invitations = useQuery(myInvitationsQuery);
  const navigate = useNavigate();
  const left = leftOffAt();
  useDocumentTitle(`${t('title')} · ${t('common:product')}`);
  useHotkeys(
    Array.from({ length: 9 }, (_, index) => [
      String(index + 1),
      () => {
        const chosen = query.data?.items[index];
        if (chosen && shortcutsOn()) void navigate({ to: '/o/$orgId', params: { orgId: chosen.id } });
      },
    ]),
  );

  const create = (
    <LinkButton
      variant="filled"
      to="/welcome/$step"
      params={{ step: 'organization' }}
      leftSection={<IconPlus size={16} />}
    >
      {t('new')}
    </LinkButton>
  );
  return (
    <AccountFrame>
      <Group component="header" gap={12} mb={32}>
        <Title order={1} flex="1 1 200px">
          {t('title')}
        </Title>
        {(query.data?.items.length ?? 0) > 0 && create}
      </Group>
      <AsyncRegion query={query} what={t('title')} skeleton={<CardsSkeleton />}>
        {({ items }) => {
          const unfinished = items.find(({ id }) => id === left?.organization);
          return (
            <>
              {unfinished && left && (
                <Paper withBorder p="md" radius="md" mb="lg">
                  <Group justify="space-between">
                    <Text>{t('onboarding:welcome.leftOff', { name: unfinished.name })}</Text>
                    <LinkButton
                      to="/welcome/$step"
                      params={{ step: left.step }}
                      search={{ organization: left.organization }}
                    >
                      {t('common:actions.continue')}
                    </LinkButton>
                  </Group>
                </Paper>
              )}
              {invitations.isError && invitations.data === undefined && (
                <ErrorState
                  error={invitations.error}
                  what={t('onboarding:invitations.what')}
                  onRetry={() => void invitations.refetch()}
                />
              )}
              <MyInvitations invitations={invitations.data?.items ?? []} />
              {items.length === 0 ? (
                <EmptyState
                  icon={IconBuildingSkyscraper}
                  title={t('onboarding:empty.title')}
                  actions={create}
                  text={t('onboarding:empty.body')}
                />
              ) : (
                <OrganizationCards organizations={items} />
              )}
            </>
          );
        }}
      </AsyncRegion>
    </AccountFrame>
  );
}
