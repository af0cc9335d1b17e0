import type { SignUpForm } from '@reachout/contract/sign-up-forms.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useNameCheck } from '#web/ui/use-name-check.ts';
import { useServerForm } from '#web/ui/use-server-form.ts';

/** Values whose change makes a new version. */
const versioned = ['title', 'language', 'fields', 'topic_ids', 'asks_tracking', 'consent_text'] as const;

const toValues = ({
  name,
  title,
  language,
  fields,
  topic_ids,
  asks_tracking,
  consent_text,
  network_limit,
}: SignUpForm) => ({
  name,
  title,
  language,
  fields,
  topic_ids,
  asks_tracking,
  consent_text,
  network_limit: network_limit ?? '',
});

export function useSignUpFormFields(stored: SignUpForm) {
  const { t } = useTranslation('common');
  const checkName = useNameCheck();
  const { api } = useOrganization();
  const update = useMutation(api.signUpForms.update.mutationOptions());
  const initial = toValues(stored);
  const form = useServerForm<ReturnType<typeof toValues>>({
    initial,
    limits: { consent_text: 2_000 },
    checks: {
      name: checkName,
      title: checkName,
      fields: (fields) => fields.map(({ label }) => checkName(label)).find((error) => error !== null) ?? null,
      consent_text: (text) => (text.trim() === '' ? t('form.required') : null),
    },
    fieldOfCode: { name_taken: 'name' },
    submit: async (values) => {
      const saved = await update.mutateAsync({
        ...values,
        id: stored.id,
        name: values.name.trim(),
        title: values.title.trim(),
        network_limit: values.network_limit === '' ? null : Number(values.network_limit),
        fields: values.fields.map((field) => ({ ...field, label: field.label.trim() })),
      });
      form.setSaved(toValues(saved));
    },
  });
  return { form, makesVersion: versioned.some((name) => form.fields.isDirty(name)) };
}
