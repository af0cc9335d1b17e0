import type { TouchpointEmail } from '@reachout/contract/touchpoints.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';

/** Subject, sender, template and audience of the open touchpoint. */
export function EmailContent({ children }: { children: (email: TouchpointEmail) => ReactNode }) {
  const { t } = useTranslation('touchpoints');
  const { api } = useOrganization();
  const { touchpoint } = useTouchpoint();
  const query = useQuery(api.touchpoints.getEmail.queryOptions({ input: { id: touchpoint.id } }));
  return (
    <AsyncRegion query={query} what={t('whatOne')} skeleton={<PanelSkeleton height={480} />}>
      {children}
    </AsyncRegion>
  );
}
