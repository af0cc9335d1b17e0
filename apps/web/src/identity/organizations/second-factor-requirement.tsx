import { Switch } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api as personalApi } from '#web/platform/api.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { refresh } from '#web/platform/query-client.ts';
import { notify } from '#web/ui/notify.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { useDenialReason } from './use-denial-reason.ts';
import { useOrganization } from './use-organization.ts';

/** Can only be enabled by a user with a second factor, so that users cannot lock themselves out. */
export function SecondFactorRequirement() {
  const { t } = useTranslation('settings');
  const { api, organization, orgId } = useOrganization();
  const denialReason = useDenialReason()('update', 'Organization');
  const own = useQuery(personalApi.me.secondFactor.queryOptions());
  const change = useMutation(
    api.organizations.requireSecondFactor.mutationOptions({
      onSuccess: async () => {
        await refresh('me', orgId);
        notify(t('words.settingsSaved'));
      },
    }),
  );
  const { requires_second_factor: isRequired } = organization;
  const isMissing = own.data !== undefined && own.data.totp === null && own.data.passkeys.length === 0;
  return (
    <SectionCard title={t('secondFactor.title')} hint={t('secondFactor.hint')}>
      <Switch
        label={t('secondFactor.require')}
        description={
          !isRequired && isMissing ? (
            <>
              {t('secondFactor.first')}{' '}
              <LinkAnchor to="/me/security" underline="always" className="break">
                {t('secondFactor.toSecurity')}
              </LinkAnchor>
            </>
          ) : (
            denialReason
          )
        }
        checked={isRequired}
        disabled={denialReason !== undefined || change.isPending || (!isRequired && isMissing)}
        onChange={(event) => change.mutate({ id: orgId, is_required: event.currentTarget.checked })}
      />
      <ActionError error={change.error} />
    </SectionCard>
  );
}
