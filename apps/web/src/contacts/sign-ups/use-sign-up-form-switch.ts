import type { SignUpForm } from '@reachout/contract/sign-up-forms.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { client } from '#web/platform/api.ts';
import { changes } from '#web/platform/query-client.ts';
import { notify } from '#web/ui/notify.tsx';

/** Activates an inactive form, and deactivates an active one. */
export function useSignUpFormSwitch() {
  const { t } = useTranslation('signUpForms');
  const { orgId } = useOrganization();
  return useMutation({
    ...changes(orgId),
    mutationFn: ({ id, is_active }: SignUpForm) => client.signUpForms.update({ id, is_active: !is_active }),
    onSuccess: ({ is_active }) => notify(t(is_active ? 'activated' : 'deactivated')),
  });
}
