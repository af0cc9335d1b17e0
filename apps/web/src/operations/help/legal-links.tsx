import { Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { LinkAnchor } from '#web/platform/links.tsx';
import { legalPages } from './help-queries.ts';
import { useHelp } from './use-help.ts';
import classes from './help.module.css';

/** Links to imprint and privacy, at the foot of the help. */
export function LegalLinks() {
  const { t } = useTranslation('help');
  const pages = (useHelp().data?.pages ?? []).filter(({ name }) => legalPages.includes(name));
  if (pages.length === 0) return null;
  return (
    <Group component="nav" aria-label={t('legal')} gap="8px 24px" className={classes.legal}>
      {pages.map(({ name, title }) => (
        <LinkAnchor key={name} to="/help/$page" params={{ page: name }}>
          {title}
        </LinkAnchor>
      ))}
    </Group>
  );
}
