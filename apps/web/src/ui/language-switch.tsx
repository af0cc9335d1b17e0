import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Language } from '#web/i18n/i18n.ts';
import classes from './language-switch.module.css';

const names = { en: 'English', de: 'Deutsch' } as const satisfies Record<Language, string>;

/** Looks like the library's segmented control, which would be a large part of the sign-in page's first load. */
export function LanguageSwitch({ onChange }: { onChange: (language: Language) => void }) {
  const { t, i18n } = useTranslation();
  const group = useId();
  return (
    <div role="radiogroup" aria-label={t('language')} className={classes.group}>
      {(['en', 'de'] as const).map((language) => (
        <label key={language} lang={language} className={classes.choice}>
          <input
            type="radio"
            name={group}
            className={classes.input}
            checked={i18n.language === language}
            onChange={() => onChange(language)}
          />
          {names[language]}
        </label>
      ))}
    </div>
  );
}
