import { SegmentedControl, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';

export function ThemeSwitch({ onChange }: { onChange: (theme: MantineColorScheme) => void }) {
  const { t } = useTranslation(['shell', 'common']);
  const { colorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      fullWidth
      size="xs"
      aria-label={t('words.theme')}
      value={colorScheme}
      onChange={(value) => onChange(value)}
      data={[
        { value: 'light', label: t('common:color.light') },
        { value: 'dark', label: t('common:color.dark') },
        { value: 'auto', label: t('words.system') },
      ]}
    />
  );
}
