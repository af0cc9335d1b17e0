import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { languages, type Language } from '@reachout/contract/rules/languages.ts';
import { languageNames } from '#web/i18n/i18n.ts';
import classes from './language-switch.module.css';

/** Looks like the library's segmented control, which would be a large part of the sign-in page's first load. */
export function LanguageSwitch({ onChange }: { onChange: (language: Language) => void }) {
  const { t, i18n } = useTranslation();
  const group = useId();
  return (
    <div role="radiogroup" aria-label={t('language')} className={classes.group}>
      {languages.map((language) => (
        <label key={language} lang={language} className={classes.choice}>
          <input
            type="radio"
            name={group}
            className={classes.input}
            checked={i18n.language === language}
            onChange={() => onChange(language)}
          />
          {languageNames[language]}
        </label>
      ))}
    </div>
  );
}
