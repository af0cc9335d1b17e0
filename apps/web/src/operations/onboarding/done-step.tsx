import { Group, Stack, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { SetupChecklist } from './setup-checklist.tsx';
import { useSetup } from './setup.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkButton } from '#web/platform/links.tsx';

/** What to do next, and the link into the app. */
export function DoneStep() {
  const { t } = useTranslation(['organizations', 'onboarding']);
  const { orgId, can } = useOrganization();
  const navigate = useNavigate();
  const { setup } = useSetup();
  useHotkeys([['mod+Enter', () => void navigate({ to: '/o/$orgId', params: { orgId } })]], []);
  return (
    <Stack gap="lg">
      {setup && <Text c="dimmed">{t('onboarding:welcome.doneHint')}</Text>}
      {setup && <SetupChecklist setup={setup} canHide={false} />}
      <Group justify="flex-end">
        <LinkButton to="/o/$orgId" params={{ orgId }}>
          {t('notFound.home')}
        </LinkButton>
        {can('create', 'Touchpoint') && (
          <LinkButton variant="filled" to="/o/$orgId/emails/new" params={{ orgId }}>
            {t('onboarding:welcome.firstEmail')}
          </LinkButton>
        )}
      </Group>
    </Stack>
  );
}
