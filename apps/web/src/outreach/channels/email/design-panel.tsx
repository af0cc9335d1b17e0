import { Group } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkButton } from '#web/platform/links.tsx';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { EmailContent } from './email-content.tsx';
import { EmailForm } from './email-form.tsx';
import { DesignSkeleton } from './email-skeletons.tsx';

const route = getRouteApi('/o/$orgId/touchpoints/$touchpointId/design');

export default function DesignPanel() {
  const { t } = useTranslation('touchpoints');
  const { orgId } = useOrganization();
  const { touchpoint } = useTouchpoint();
  const { field } = route.useSearch();
  return (
    <EmailContent skeleton={<DesignSkeleton />}>
      {(draft) => (
        <EmailForm draft={draft} focus={field === undefined ? undefined : { field, count: 0 }}>
          <Group justify="flex-end" mt="md">
            <LinkButton
              to="/o/$orgId/touchpoints/$touchpointId/audience"
              params={{ orgId, touchpointId: touchpoint.id }}
              rightSection={<IconArrowRight size={16} stroke={1.75} />}
            >
              {t('design.next')}
            </LinkButton>
          </Group>
        </EmailForm>
      )}
    </EmailContent>
  );
}
