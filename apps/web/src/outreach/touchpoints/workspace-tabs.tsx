import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { channels } from '#web/outreach/channels/channels.ts';
import { TabStrip } from '#web/ui/tab-strip.tsx';
import { useTouchpoint } from './touchpoint-context.ts';

/** The pages that the channel has. Numbers are guidance rather than a gate. */
export function WorkspaceTabs() {
  const { t } = useTranslation('touchpoints');
  const { orgId } = useOrganization();
  const { touchpoint } = useTouchpoint();
  return (
    <TabStrip
      label={t('steps.label')}
      tabs={channels[touchpoint.type].pages.map(({ tab, isStep }, index) => ({
        href: `/o/${orgId}/touchpoints/${touchpoint.id}/${tab}`,
        name: t(`steps.${tab}`),
        number: isStep ? index + 1 : undefined,
      }))}
    />
  );
}
