import { graphemesOf } from '@reachout/contract/rules/cut-text.ts';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Logo } from '#web/identity/organizations/organization-logo.tsx';
import classes from './inbox-line.module.css';

interface Props {
  sender: string;
  subject: string;
  preheader: string;
}

/** Phones truncate subjects near 45 characters, desktops near 90. */
const cuts = [45, 90] as const;

export function InboxLine({ sender, subject, preheader }: Props) {
  const { t } = useTranslation('touchpoints');
  return (
    <section aria-label={t('inbox.label')} className={classes.line}>
      <Logo name={sender || '?'} size={36} />
      <div className={classes.words}>
        <Text size="sm" fw={650}>
          {sender || t('inbox.noName')}
        </Text>
        <Text size="sm" component="p" className={classes.text}>
          {subject ? (
            <WithCuts text={subject} />
          ) : (
            <span className={classes.quiet}>{t('inbox.noSubject')}</span>
          )}
        </Text>
        {preheader && (
          <Text size="sm" c="dimmed" className={classes.text}>
            {preheader}
          </Text>
        )}
      </div>
    </section>
  );
}

function WithCuts({ text }: { text: string }) {
  const characters = graphemesOf(text);
  const places = cuts.filter((cut) => cut < characters.length);
  return [0, ...places].map((start, index) => (
    <span key={start}>
      {start > 0 && <span className={classes.cut} aria-hidden />}
      {characters.slice(start, [0, ...places][index + 1]).join('')}
    </span>
  ));
}
