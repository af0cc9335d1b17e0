import { Avatar } from '@mantine/core';
import type { User } from '@reachout/contract/me.ts';
import { useTranslation } from 'react-i18next';
import { ImageField } from '#web/ui/image-field.tsx';

export function Photo({ user, onChanged }: { user: User; onChanged: () => Promise<unknown> }) {
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
      onChanged={onChanged}
    />
  );
}
