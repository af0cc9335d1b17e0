import { useTranslation } from 'react-i18next';
import { readChoice } from '#web/platform/list-search.ts';
import { jobKinds } from './job-search.ts';

/** @returns a function that translates a kind of job; a kind unknown to this release is shown unchanged */
export function useKindName(): (kind: string) => string {
  const { t } = useTranslation('jobs');
  return (kind) => {
    const known = readChoice(kind, jobKinds);
    return known === undefined ? kind : t(`kinds.${known}`);
  };
}
