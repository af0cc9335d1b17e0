import { Alert, Anchor, List } from '@mantine/core';
import type { TemplateProblem } from '@reachout/contract/templates.ts';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useProblemMessage } from './problem-message.ts';

interface Props {
  problems: readonly TemplateProblem[];
  /** Makes line numbers lead to the line. */
  onGoTo?: (line: number) => void;
}

/** Errors apart from remarks: the first stop a send, the second do not. */
export function ProblemList({ problems, onGoTo }: Props) {
  const { t } = useTranslation('templates');
  const say = useProblemMessage();
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
          {members.map((problem, index) => (
            // Known by its place: the same problem may stand on one line twice.
            <List.Item key={index}>
              {problem.line !== null &&
                (onGoTo ? (
                  <Anchor component="button" type="button" onClick={() => onGoTo(problem.line ?? 1)}>
                    {t('problems.line', { line: problem.line })}
                  </Anchor>
                ) : (
                  <strong>{t('problems.line', { line: problem.line })}</strong>
                ))}{' '}
              {say(problem)}
            </List.Item>
          ))}
        </List>
      </Alert>
    );
  });
}
