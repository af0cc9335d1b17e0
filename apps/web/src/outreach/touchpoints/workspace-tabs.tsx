import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/organization-context.ts';
import { TabStrip } from '#web/ui/tab-strip.tsx';

const steps = ['design', 'audience', 'preview', 'schedule', 'statistics'] as const;
const others = ['sends', 'settings'] as const;

/** Five numbered steps, guidance rather than a gate, and what belongs to the email beside them. */
export function WorkspaceTabs({ touchpointId }: { touchpointId: string }) {
  const { t } = useTranslation('touchpoints');
  const { orgId } = useOrganization();
  const base = `/o/${orgId}/touchpoints/${touchpointId}`;
  return (
    <TabStrip
      label={t('steps.label')}
      tabs={[...steps, ...others].map((step, index) => ({
        href: `${base}/${step}`,
        name: t(`steps.${step}`),
        number: index < steps.length ? index + 1 : undefined,
      }))}
    />
  );
}
