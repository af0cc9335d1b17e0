import { Group, VisuallyHidden } from '@mantine/core';
import type { Domain } from '@reachout/contract/domains.ts';
import { domainCheckKinds } from '@reachout/contract/states/domain.ts';
import { useTranslation } from 'react-i18next';
import { StatusMark } from '#web/ui/status-badge.tsx';
import { cardLooks, markState } from './check-state.ts';
import classes from './domains.module.css';

export function CheckMarks({ states }: Pick<Domain, 'states'>) {
  const { t } = useTranslation('domains');
  return (
    <span className={classes.marks}>
      {domainCheckKinds.map((kind) => {
        const state = markState(states[kind]);
        const words = t(`state.${state}`);
        return (
          <Group
            key={kind}
            component="span"
            display="inline-flex"
            gap={4}
            wrap="nowrap"
            className="one-line"
            title={`${t(`kinds.${kind}`)}: ${words}`}
          >
            <StatusMark status={cardLooks[state]} />
            {t(`kinds.${kind}`)}
            <VisuallyHidden>: {words}</VisuallyHidden>
          </Group>
        );
      })}
    </span>
  );
}
