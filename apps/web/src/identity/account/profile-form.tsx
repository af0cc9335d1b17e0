import { Avatar } from '@mantine/core';
import type { User } from '@reachout/contract/me.ts';
import { useTranslation } from 'react-i18next';
import { useMutation } from '@tanstack/react-query';
import { api } from '#web/platform/api.ts';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { RecordFields } from '#web/ui/record-fields.tsx';
import { useRecordForm } from '#web/ui/use-record-form.ts';
import { SaveBarForm } from '#web/ui/save-bar-form.tsx';
import { queryClient, refresh } from '#web/platform/query-client.ts';
import { ImageField } from '#web/ui/image-field.tsx';
import { sessionQuery } from '#web/identity/auth/session.ts';

/** Saved with the bar that appears once something has changed. */
export function ProfileForm({ user }: { user: User }) {
  const { t } = useTranslation('account');
  // The session contains the name, too.
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
  const update = useMutation(api.me.update.mutationOptions({ onSuccess }));
  const form = useRecordForm(boundsOf('me.update'), {
    record: user,
    fields: {
      full_name: { label: t('profile.name'), autoComplete: 'name' },
      company: { label: t('profile.company'), autoComplete: 'organization' },
      phone: { label: t('words.phone'), autoComplete: 'tel' },
      website: {
        label: t('words.website'),
        autoComplete: 'url',
        inputProps: { placeholder: 'https://' },
      },
    },
    save: (values) => update.mutateAsync(values),
  });
  return (
    <SaveBarForm form={form}>
      <RecordFields form={form} />
    </SaveBarForm>
  );
}

export function Photo({ user }: { user: User }) {
  const { t } = useTranslation('account');
  return (
    <ImageField
      label={t('profile.photo')}
      url={user.avatar_url}
      kind="avatar"
      id={user.id}
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
