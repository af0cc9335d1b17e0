import { Group, Stack, Title } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkButton } from '#web/platform/links.tsx';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { AudienceChoice } from './audience-choice.tsx';
import { EmailContent } from './email-content.tsx';
import { AudiencePageSkeleton } from './email-skeletons.tsx';

export default function AudiencePanel() {
  const { t } = useTranslation('touchpoints');
  const { orgId } = useOrganization();
  const { touchpoint } = useTouchpoint();
  return (
    <EmailContent skeleton={<AudiencePageSkeleton />}>
      {(draft) => (
        <Stack gap="lg">
          <Title order={2}>{t('audience.title')}</Title>
          <AudienceChoice draft={draft} />
          <Group justify="flex-end" maw={760}>
            <LinkButton
              to="/o/$orgId/touchpoints/$touchpointId/preview"
              params={{ orgId, touchpointId: touchpoint.id }}
              rightSection={<IconArrowRight size={16} stroke={1.75} />}
            >
              {t('audience.next')}
            </LinkButton>
          </Group>
        </Stack>
      )}
    </EmailContent>
  );
}
