import { Alert, List } from '@mantine/core';
import type { TemplateProblem } from '@reachout/contract/templates.ts';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useProblemMessage } from './problem-message.ts';

interface Props {
  problems: readonly TemplateProblem[];
  /** Makes the words for a place lead there; undefined where they cannot. */
  linkTo?: ((problem: TemplateProblem, words: string) => ReactNode) | undefined;
}

/** Errors apart from remarks: the first stop a send, the second do not. */
export function ProblemList({ problems, linkTo }: Props) {
  const { t } = useTranslation('templates');
  const say = useProblemMessage();
  const placeOf = usePlace();
  const groups = [
    { key: 'error', color: 'red', icon: <IconAlertTriangle size={18} stroke={1.75} />, title: 'errors' },
    { key: 'warning', color: 'yellow', icon: <IconInfoCircle size={18} stroke={1.75} />, title: 'warnings' },
  ] as const;
  return groups.map(({ key, color, icon, title }) => {
    const members = problems.filter((problem) => problem.severity === key);
    if (members.length === 0) return null;
    return (
      <Alert
        key={key}
        color={color}
        variant="light"
        icon={icon}
        mt="md"
        title={t(`problems.${title}`, { count: members.length })}
      >
        <List size="sm" spacing={4}>
          {members.map((problem, index) => {
            const place = placeOf(problem);
            return (
              // Known by its place: the same problem may stand on one line twice.
              <List.Item key={index}>
                {place !== undefined && (linkTo?.(problem, place) ?? <strong>{place}</strong>)} {say(problem)}
              </List.Item>
            );
          })}
        </List>
      </Alert>
    );
  });
}

/** Where a problem is: a line of the template, or the field that is one line. */
function usePlace(): (problem: TemplateProblem) => string | undefined {
  const { t } = useTranslation('templates');
  return ({ field, line }) => {
    if (field === 'subject' || field === 'preheader') return t(`problems.field.${field}`);
    return line === null ? undefined : t('problems.line', { line });
  };
}
