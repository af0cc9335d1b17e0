import { Input, SegmentedControl, Stack, Switch, useMantineColorScheme } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePreferences } from '#web/platform/preferences.ts';
import type { ChangePreferences } from './preferences.ts';

export function DisplayPreferences({ change }: { change: ChangePreferences }) {
  const { t } = useTranslation(['account', 'common', 'shell']);
  const { motion = 'system' } = usePreferences();
  const { colorScheme } = useMantineColorScheme();
  return (
    <Stack gap="md">
      <Choice
        label={t('words.theme')}
        value={colorScheme}
        onChange={(theme) => change({ theme })}
        data={[
          { value: 'auto', label: t('words.system') },
          { value: 'light', label: t('common:color.light') },
          { value: 'dark', label: t('common:color.dark') },
        ]}
      />
      <DensityChoice change={change} />
      <Choice
        label={t('preferences.motion')}
        value={motion}
        onChange={(value) => change({ motion: value === 'reduced' ? value : undefined })}
        data={[
          { value: 'system', label: t('words.system') },
          { value: 'reduced', label: t('preferences.motionReduced') },
        ]}
      />
    </Stack>
  );
}

/** Row height of lists. */
export function DensityChoice({ change }: { change: ChangePreferences }) {
  const { t } = useTranslation('lists');
  const { density = 'comfortable' } = usePreferences();
  return (
    <Choice
      label={t('density')}
      value={density}
      onChange={(value) => change({ density: value })}
      data={[
        { value: 'comfortable', label: t('comfortable') },
        { value: 'compact', label: t('compact') },
      ]}
    />
  );
}

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

interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  onChange: (value: T) => void;
  data: { value: T; label: ReactNode }[];
}

export function Choice<T extends string>({ label, value, onChange, data }: ChoiceProps<T>) {
  const id = useId();
  return (
    <div>
      <Input.Label id={id} labelElement="div" mb={4}>
        {label}
      </Input.Label>
      <div>
        <SegmentedControl aria-labelledby={id} value={value} onChange={onChange} data={data} />
      </div>
    </div>
  );
}
