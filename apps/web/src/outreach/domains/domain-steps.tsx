import { useTranslation } from 'react-i18next';
import classes from './domains.module.css';

const steps = ['domain', 'records', 'done'] as const;

/** How far the setup of a domain is. */
export function DomainSteps({ current }: { current: (typeof steps)[number] }) {
  const { t } = useTranslation('domains');
  return (
    <ol className={classes.steps} aria-label={t('steps.label')}>
      {steps.map((step) => (
        <li key={step} aria-current={step === current ? 'step' : undefined}>
          {t(`steps.${step}`)}
        </li>
      ))}
    </ol>
  );
}
