import { Avatar } from '@mantine/core';
import type { User } from '@reachout/contract/me.ts';
import { useTranslation } from 'react-i18next';
import { refresh } from '#web/platform/query-client.ts';
import { ImageField } from '#web/ui/image-field.tsx';

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
