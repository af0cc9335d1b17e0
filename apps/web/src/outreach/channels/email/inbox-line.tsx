import { graphemesOf } from '@reachout/contract/rules/cut-text.ts';
import { Box, Group, Paper, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Logo } from '#web/identity/organizations/organization-logo.tsx';
import { QuietText } from '#web/ui/text.ts';
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
    <Paper withBorder radius="md" px="md" py="sm" mb="md" component="section" aria-label={t('inbox.label')}>
      <Group gap={12} wrap="nowrap" align="stretch">
        <Logo name={sender || '?'} size={36} />
        <Box miw={0}>
          <Text size="sm" fw={650}>
            {sender || t('inbox.noName')}
          </Text>
          <Text size="sm" component="p" className="break">
            {subject ? <WithCuts text={subject} /> : <span className="quiet">{t('inbox.noSubject')}</span>}
          </Text>
          {preheader && <QuietText className="break">{preheader}</QuietText>}
        </Box>
      </Group>
    </Paper>
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
