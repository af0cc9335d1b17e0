import { Button, Divider, Popover, Stack, Text } from '@mantine/core';
import {
  IconAdjustments,
  IconBuildingSkyscraper,
  IconKeyboard,
  IconLogout,
  IconStack2,
  IconUserCircle,
  type Icon,
} from '@tabler/icons-react';
import { useQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { meQuery } from '#web/identity/account/me-query.ts';
import { useChangePreferences } from '#web/identity/account/preferences.ts';
import { lazyPart } from '#web/platform/lazy-part.tsx';
import { LinkButton } from '#web/platform/links.tsx';
import { signOut, useSession } from '#web/identity/auth/session.ts';
import { ActionError } from '#web/ui/states.tsx';
import { LanguageSwitch } from '#web/ui/language-switch.tsx';
import { FinePrint, QuietText } from '#web/ui/text.ts';
import { ThemeSwitch } from '#web/ui/theme-switch.tsx';
import { hasUnsavedWork } from '#web/ui/unsaved-work.ts';
import type { PopupProps } from '#web/ui/with-popup.tsx';

// Rarely used.
const ConfirmDialog = lazyPart(async () => {
  const { ConfirmDialog: dialog } = await import('#web/ui/confirm-dialog.tsx');
  return { default: dialog };
});

const accountMenu = [
  { name: 'profile', to: '/me/profile', icon: IconUserCircle },
  { name: 'preferences', to: '/me/preferences', icon: IconAdjustments },
  { name: 'organizations', to: '/organizations', icon: IconBuildingSkyscraper },
  { name: 'operator', to: '/operator/jobs', icon: IconStack2, forOperators: true },
] as const satisfies readonly { name: string; to: string; icon: Icon; forOperators?: true }[];

interface Shortcuts {
  /** Opens the list of keyboard shortcuts, on pages that have any. */
  onShortcuts: (() => void) | undefined;
}

/** The signed-in user, links to their account, and sign-out. */
export default function UserPanel({ target, onShortcuts, ...popup }: PopupProps & Shortcuts) {
  const { t } = useTranslation(['shell', 'common']);
  const [asking, setAsking] = useState(false);
  const leaving = useMutation({ mutationFn: signOut });
  return (
    <>
      <Popover width={280} position="bottom-end" shadow="md" trapFocus returnFocus {...popup}>
        <Popover.Target>{target}</Popover.Target>
        <Popover.Dropdown p={4}>
          <Panel
            leaving={leaving}
            onShortcuts={onShortcuts}
            onClose={() => popup.onChange(false)}
            onSignOut={() => (hasUnsavedWork() ? setAsking(true) : leaving.mutate())}
          />
        </Popover.Dropdown>
      </Popover>
      {asking && (
        <ConfirmDialog
          title={t('common:unsaved.title')}
          confirmLabel={t('signOutAnyway')}
          cancelLabel={t('common:unsaved.stay')}
          onClose={() => setAsking(false)}
          onConfirm={() => leaving.mutateAsync()}
        >
          {t('common:unsaved.body')}
        </ConfirmDialog>
      )}
    </>
  );
}

/** An entry of the panel. */
const row = {
  fullWidth: true,
  variant: 'subtle',
  color: 'gray',
  justify: 'flex-start',
  c: 'var(--mantine-color-text)',
} as const;

interface PanelProps extends Shortcuts {
  leaving: { isPending: boolean; error: unknown };
  onClose: () => void;
  onSignOut: () => void;
}

function Panel({ leaving, onShortcuts, onClose, onSignOut }: PanelProps) {
  const { t } = useTranslation(['shell', 'common']);
  const session = useSession();
  const { data: user } = useQuery(meQuery);
  const preferences = useChangePreferences();
  const { name = '', email = '' } = session.is === 'signed_in' ? session.user : {};
  const entries = accountMenu.filter((entry) => !('forOperators' in entry) || user?.is_operator === true);
  return (
    <>
      <Stack gap={2} p="xs">
        <Text fw={650} className="break">
          {name}
        </Text>
        <QuietText className="break">{email}</QuietText>
      </Stack>
      <Divider color="var(--app-hairline)" my={4} />
      {entries.map(({ name: entry, to, icon: EntryIcon }) => (
        <LinkButton
          key={entry}
          to={to}
          {...row}
          leftSection={<EntryIcon size={16} />}
          styles={{ label: { textAlign: 'start' } }}
          onClick={onClose}
        >
          {t(`accountMenu.${entry}`)}
        </LinkButton>
      ))}
      {onShortcuts && (
        <Button
          {...row}
          leftSection={<IconKeyboard size={16} />}
          onClick={() => {
            onClose();
            onShortcuts();
          }}
        >
          {t('shortcuts.title')}
        </Button>
      )}
      <Divider color="var(--app-hairline)" my={4} />
      <Stack gap="sm" p="xs">
        <div>
          <FinePrint mb={4}>{t('common:language')}</FinePrint>
          <LanguageSwitch onChange={(language) => preferences.change({ language })} />
        </div>
        <div>
          <FinePrint mb={4}>{t('words.theme')}</FinePrint>
          <ThemeSwitch onChange={(theme) => preferences.change({ theme })} />
        </div>
        <ActionError error={preferences.error} />
      </Stack>
      <Divider color="var(--app-hairline)" my={4} />
      <Button {...row} loading={leaving.isPending} leftSection={<IconLogout size={16} />} onClick={onSignOut}>
        {t('words.signOut')}
      </Button>
      <ActionError error={leaving.error} />
    </>
  );
}
