import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { refresh } from '#web/platform/query-client.ts';
import { notify } from '#web/ui/notify.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { UncertainPolicyChoice } from './uncertain-policy-choice.tsx';
import { useDenialReason } from './use-denial-reason.ts';
import { useOrganization } from './use-organization.ts';

/** How sends are delivered unless their confirmation says otherwise. */
export function DeliveryDefaults() {
  const { t } = useTranslation('delivery');
  const { api, organization, orgId } = useOrganization();
  const denialReason = useDenialReason()('update', 'Organization');
  const change = useMutation(
    api.organizations.update.mutationOptions({
      onSuccess: async () => {
        await refresh('me', orgId);
        notify(t('words.settingsSaved'));
      },
    }),
  );
  return (
    <SectionCard
      id="uncertain-deliveries"
      title={t('policy.title')}
      hint={`${t('policy.hint')} ${t('policy.setting')}`}
    >
      <UncertainPolicyChoice
        value={change.isPending ? change.variables.uncertain_policy! : organization.uncertain_policy}
        denialReason={denialReason}
        onChange={(uncertain_policy) => change.mutate({ id: orgId, uncertain_policy })}
      />
      <ActionError error={change.error} />
    </SectionCard>
  );
}
