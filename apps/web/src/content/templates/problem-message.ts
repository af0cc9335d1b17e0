import type { TemplateProblem } from '@reachout/contract/templates.ts';
import { useTranslation } from 'react-i18next';
import { templates } from '#web/i18n/en/templates.ts';

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
export function useProblemMessage(): (problem: TemplateProblem) => string {
  const { t, i18n } = useTranslation('templates');
  return ({ code, message, variable, count }) => {
    if (count && isCounted(code)) {
      if (i18n.language === 'en') return message;
      const problem = t(`problems.counted.${code}`, { variable, ...count });
      return count.is_exact ? problem : t('problems.atLeast', { problem });
    }
    if (count)
      return t(count.is_exact ? 'problems.emptyFor' : 'problems.emptyForUpTo', { variable, ...count });
    if (i18n.language === 'en' || !isKnown(code)) return message;
    const words = t(`problems.code.${code}`, { tag: '{{ links.unsubscribe }}' });
    const about = variable ?? culprit.exec(message)?.[0];
    return about && code !== 'unsubscribe_link_missing' ? `${words}: ${about}` : `${words}.`;
  };
}
