import type { SignUpForm } from '@reachout/contract/sign-up-forms.ts';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useDeleteAndLeave } from '#web/identity/organizations/use-delete-and-leave.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';

/** Confirms that a form is deleted, and leads to the others. Mount it to open it. */
export function SignUpFormDeletion({ form, onClose }: { form: SignUpForm; onClose: () => void }) {
  const { t } = useTranslation(['signUpForms', 'common']);
  const { api, orgId } = useOrganization();
  const navigate = useNavigate();
  const remove = useDeleteAndLeave(
    api.signUpForms.delete.mutationOptions(),
    () =>
      navigate({ to: '/o/$orgId/brands/$brandId/sign-up-forms', params: { orgId, brandId: form.brand_id } }),
    t('deleted'),
  );
  return (
    <ConfirmDialog
      title={t('deleteTitle', { name: form.name })}
      text={t('deleteBody')}
      confirmLabel={t('common:actions.delete')}
      onClose={onClose}
      onConfirm={() => remove.mutateAsync({ id: form.id })}
    />
  );
}
