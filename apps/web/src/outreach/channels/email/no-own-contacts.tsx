import { Alert, Stack, Text } from '@mantine/core';
import { IconUsersGroup } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { LinkButton } from '#web/platform/links.tsx';

/**
 * Says that the client of the email has no contacts yet, and offers to import them.
 * @param hasShared  whether there are contacts that all clients share
 */
export function NoOwnContacts({ hasShared }: { hasShared: boolean }) {
  const { t } = useTranslation(['touchpoints', 'audiences']);
  const { orgId, canEver } = useOrganization();
  const { touchpoint } = useTouchpoint();
  return (
    <Alert
      color="marine"
      icon={<IconUsersGroup size={18} />}
      title={t('audience.noOwn', { client: touchpoint.client.name })}
    >
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{t(hasShared ? 'audience.noOwnHint' : 'audience.noOwnOrShared')}</Text>
        {canEver('create', 'Content') && (
          <LinkButton
            variant="filled"
            size="sm"
            to="/o/$orgId/collections/$collection/import"
            params={{ orgId, collection: 'contacts' }}
            search={{ email: touchpoint.id }}
          >
            {t('words.importContacts')}
          </LinkButton>
        )}
      </Stack>
    </Alert>
  );
}
