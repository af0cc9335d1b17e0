import { Avatar, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { useTranslation } from 'react-i18next';
import { meQuery } from '#web/identity/account/me-query.ts';
import { useSession } from '#web/identity/auth/session.ts';
import { loadChunk } from '#web/platform/lazy-chunks.ts';
import { WithPopup } from '#web/ui/with-popup.tsx';

const UserPanel = lazy(() => loadChunk(() => import('./user-panel.tsx')));

interface Props {
  /** Opens the list of keyboard shortcuts, on pages that have any. */
  onShortcuts?: () => void;
}

export function UserMenu({ onShortcuts }: Props) {
  const { t } = useTranslation('shell');
  const session = useSession();
  // From the session, until a page that shows or changes the profile has loaded it.
  const { data: user } = useQuery({ ...meQuery, enabled: false });
  const { name = '', avatar_url = null } = session.is === 'signed_in' ? session.user : {};
  const avatar = user === undefined ? avatar_url : user.avatar_url;
  return (
    <WithPopup kind="dialog" popup={(popup) => <UserPanel {...popup} onShortcuts={onShortcuts} />}>
      <UnstyledButton aria-label={t('account')}>
        <Avatar src={avatar} alt="" name={name} size={32} radius={16} color="marine" />
      </UnstyledButton>
    </WithPopup>
  );
}
