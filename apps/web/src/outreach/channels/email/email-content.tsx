import { useQuery } from '@tanstack/react-query';
import type { TouchpointEmail } from '@reachout/contract/touchpoints.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { useEmailDraft, type EmailDraft } from './email-draft.ts';

type Children = (draft: EmailDraft) => ReactNode;

/** Loads subject, sender, template and audience of the current touchpoint, and provides the means to save them. */
export function EmailContent({ skeleton, children }: { skeleton: ReactNode; children: Children }) {
  const { t } = useTranslation('touchpoints');
  const { api } = useOrganization();
  const { touchpoint } = useTouchpoint();
  const query = useQuery(api.touchpoints.getEmail.queryOptions({ input: { id: touchpoint.id } }));
  return (
    <AsyncRegion query={query} what={t('whatOne')} skeleton={skeleton}>
      {(email) => <Draft email={email}>{children}</Draft>}
    </AsyncRegion>
  );
}

function Draft({ email, children }: { email: TouchpointEmail; children: Children }) {
  return children(useEmailDraft(email));
}
