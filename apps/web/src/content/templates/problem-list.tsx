import { Alert, List } from '@mantine/core';
import type { TemplateProblem } from '@reachout/contract/templates.ts';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { templates } from '#web/i18n/en/templates.ts';

interface Props {
  problems: readonly TemplateProblem[];
  /** Renders the location as a link; undefined if it cannot be linked. */
  linkTo?: ((problem: TemplateProblem, words: string) => ReactNode) | undefined;
}

/** Lists errors and warnings separately: only errors block a send. */
export function ProblemList({ problems, linkTo }: Props) {
  const { t } = useTranslation('templates');
  const say = useProblemMessage();
  const placeOf = usePlace();
  const groups = [
    { key: 'error', color: 'red', icon: <IconAlertTriangle size={18} />, title: 'errors' },
    { key: 'warning', color: 'yellow', icon: <IconInfoCircle size={18} />, title: 'warnings' },
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
              // Identified by position: the same problem may occur twice on a line.
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

/** @returns a function that names the location of a problem: a line of the template, or a single-line field */
function usePlace(): (problem: TemplateProblem) => string | undefined {
  const { t } = useTranslation('templates');
  return ({ field, line }) => {
    if (field === 'subject' || field === 'preheader') return t(`problems.field.${field}`);
    return line === null ? undefined : t('problems.line', { line });
  };
}

type Code = keyof typeof templates.problems.code;
const isKnown = (code: string): code is Code => Object.hasOwn(templates.problems.code, code);

type Counted = keyof typeof templates.problems.counted;
const isCounted = (code: string): code is Counted => Object.hasOwn(templates.problems.counted, code);

/** The tag, address or variable named in the renderer's message. */
const culprit =
  /\b(?:contact|item|brand|client|campaign|organization|touchpoint|links)\.[\w.]+|<\/?[\w-]+[^>]*>|https?:\/\/\S+/;

/**
 * @returns a function with the text of a problem. English texts come from the renderer and have the most detail; other
 * languages translate the code.
 */
function useProblemMessage(): (problem: TemplateProblem) => string {
  const { t, i18n } = useTranslation('templates');
  return ({ code, message, variable, count }) => {
    if (count && isCounted(code)) {
      if (i18n.language === 'en') return message;
      const problem = t(`problems.counted.${code}`, { variable, ...count });
      return count.is_exact ? problem : t('problems.atLeast', { problem });
    }
    if (count) return t('problems.emptyFor', { variable, ...count });
    if (i18n.language === 'en' || !isKnown(code)) return message;
    const words = t(`problems.code.${code}`, { tag: '{{ links.unsubscribe }}' });
    const about = variable ?? culprit.exec(message)?.[0];
    return about && code !== 'unsubscribe_link_missing' ? `${words}: ${about}` : `${words}.`;
  };
}
