import { useTranslation } from 'react-i18next';
import { languages, type Language } from '@reachout/contract/rules/languages.ts';
import { languageNames } from '#web/i18n/i18n.ts';
import { ChoiceSwitch } from './choice-switch.tsx';

export function LanguageSwitch({ onChange }: { onChange: (language: Language) => void }) {
  const { t, i18n } = useTranslation();
  return (
    <ChoiceSwitch
      aria-label={t('language')}
      value={i18n.language as Language}
      onChange={onChange}
      data={languages.map((value) => ({ value, label: languageNames[value], lang: value }))}
    />
  );
}
