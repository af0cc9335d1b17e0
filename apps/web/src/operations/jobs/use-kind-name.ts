import { useTranslation } from 'react-i18next';
import { readChoice } from '#web/platform/list-search.ts';
import { jobKinds } from './job-search.ts';

/** The name of a kind of jobs for people; a kind that this release does not know is shown as it came. */
export function useKindName(): (kind: string) => string {
  const { t } = useTranslation('jobs');
  return (kind) => {
    const known = readChoice(kind, jobKinds);
    return known === undefined ? kind : t(`kinds.${known}`);
  };
}
