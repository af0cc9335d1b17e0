import { Avatar, TextInput } from '@mantine/core';
import type { User } from '@reachout/contract/me.ts';
import { useTranslation } from 'react-i18next';
import { useMutation } from '@tanstack/react-query';
import { api } from '#web/platform/api.ts';
import { isPhone, isWebAddress } from '@reachout/contract/rules/addresses.ts';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { SaveBarForm } from '#web/ui/save-bar-form.tsx';
import { useNameCheck } from '#web/ui/use-name-check.ts';
import { queryClient, refresh } from '#web/platform/query-client.ts';
import { ImageField } from '#web/ui/image-field.tsx';
import { sessionQuery } from '#web/identity/auth/session.ts';

/** Saved with the bar that appears once something has changed. */
export function ProfileForm({ user }: { user: User }) {
  const { t } = useTranslation(['account', 'common']);
  const checkName = useNameCheck();
  // The session contains the name, too.
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
  const update = useMutation(api.me.update.mutationOptions({ onSuccess }));
  const form = useServerForm({
    initial: {
      full_name: user.full_name,
      company: user.company ?? '',
      phone: user.phone ?? '',
      website: user.website ?? '',
    },
    limits: { company: 120, phone: 40, website: 500 },
    checks: {
      full_name: checkName,
      phone: (value) => (value.trim() === '' || isPhone(value) ? null : t('profile.phoneCheck')),
      website: (value) => (value.trim() === '' || isWebAddress(value) ? null : t('profile.websiteCheck')),
    },
    submit: async (values) => {
      const saved = {
        full_name: values.full_name.trim(),
        company: values.company.trim(),
        phone: values.phone.trim(),
        website: values.website.trim(),
      };
      await update.mutateAsync({
        full_name: saved.full_name,
        company: saved.company || null,
        phone: saved.phone || null,
        website: saved.website || null,
      });
      form.setSaved(saved);
    },
  });
  const { getInputProps } = form.fields;
  const text = (name: keyof typeof form.fields.values, autoComplete: string) => ({
    autoComplete,
    ...getInputProps(name),
  });
  const optional = t('common:optional');
  return (
    <SaveBarForm form={form}>
      <TextInput label={t('profile.name')} {...text('full_name', 'name')} />
      <TextInput label={`${t('profile.company')} ${optional}`} {...text('company', 'organization')} />
      <TextInput type="tel" label={`${t('profile.phone')} ${optional}`} {...text('phone', 'tel')} />
      <TextInput
        type="url"
        label={`${t('profile.website')} ${optional}`}
        placeholder="https://"
        {...text('website', 'url')}
      />
    </SaveBarForm>
  );
}

export function Photo({ user }: { user: User }) {
  const { t } = useTranslation('account');
  return (
    <ImageField
      label={t('profile.photo')}
      url={user.avatar_url}
      uploadTo="avatars/me"
      preview={(url) => (
        <Avatar
          src={url}
          alt=""
          name={user.full_name}
          size={72}
          radius={36}
          color="marine"
          variant="light"
          aria-hidden
        />
      )}
      onChanged={() => refresh('me')}
    />
  );
}
