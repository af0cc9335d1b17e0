import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Language } from '#web/i18n/i18n.ts';

export function LanguageSwitch({ onChange }: { onChange: (language: Language) => void }) {
  const { t, i18n } = useTranslation();
  return (
    <SegmentedControl
      fullWidth
      size="xs"
      aria-label={t('language')}
      value={i18n.language}
      onChange={(value) => onChange(value as Language)}
      data={[
        { value: 'en', label: <span lang="en">English</span> },
        { value: 'de', label: <span lang="de">Deutsch</span> },
      ]}
    />
  );
}
