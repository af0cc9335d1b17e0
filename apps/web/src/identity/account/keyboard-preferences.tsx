import { Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { usePreferences } from '#web/platform/preferences.ts';
import type { ChangePreferences } from './use-change-preferences.ts';

export function KeyboardPreferences({ change }: { change: ChangePreferences }) {
  const { t } = useTranslation('account');
  const { shortcuts = true } = usePreferences();
  return (
    <Switch
      label={t('preferences.shortcuts')}
      description={t('preferences.shortcutsHint')}
      checked={shortcuts}
      onChange={(event) => change({ shortcuts: event.currentTarget.checked })}
    />
  );
}
