import { Button, Group, Paper } from '@mantine/core';
import { Children, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { openRow } from '#web/ui/open-row.ts';
import { QuietText, SectionTitle } from '#web/ui/text.ts';
import classes from './recent-card.module.css';

interface Props {
  title: string;
  /** Shown beside the title: the number of items not listed, and where all are. */
  more?: ReactNode;
  /** Meaning of the edge color: a problem, or in progress. */
  tone: 'marine' | 'warning';
  children: ReactNode;
}

/** Rows that a phone shows at first, so that the results are not far below. */
const phoneRows = 2;

/** A card at the top of the dashboard, with one row per item. */
export function WorkCard({ title, more, tone, children }: Props) {
  const { t } = useTranslation('dashboard');
  const [isWhole, setWhole] = useState(false);
  const rest = Children.count(children) - phoneRows;
  return (
    <Paper
      withBorder
      radius="md"
      component="section"
      aria-label={title}
      className={classes.work}
      data-tone={tone}
    >
      <Group justify="space-between" px="md" pt="sm" pb="xs">
        <SectionTitle>{title}</SectionTitle>
        {more !== undefined && <QuietText component="div">{more}</QuietText>}
      </Group>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- the links in it are for the keyboard */}
      <ul className={classes.rows} data-whole={isWhole} onClick={openRow} onAuxClick={openRow}>
        {children}
      </ul>
      {rest > 0 && !isWhole && (
        <Button
          variant="subtle"
          size="sm"
          fullWidth
          className={classes.showRest}
          onClick={() => setWhole(true)}
        >
          {t('showRest', { count: rest })}
        </Button>
      )}
    </Paper>
  );
}
