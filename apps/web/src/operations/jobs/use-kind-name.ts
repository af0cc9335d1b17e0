import { useTranslation } from 'react-i18next';
import { readChoice } from '#web/platform/list-search.ts';

/** Kinds with a translated name; other kinds are shown by their technical name. */
export const jobKinds = [
  'account_email',
  'audience_reading',
  'audience_reading_removal',
  'data_request',
  'directus_import',
  'domain_checks',
  'field_removal',
  'import',
  'import_file',
  'mirror',
  'mirror_check',
  'recipient_domains',
  'retention',
  'search_index',
  'send_check',
  'suppression_lift',
  'visitor_hints',
] as const;

/** @returns a function that translates a kind of job; a kind unknown to this release is shown unchanged */
export function useKindName(): (kind: string) => string {
  const { t } = useTranslation('jobs');
  return (kind) => {
    const known = readChoice(kind, jobKinds);
    return known === undefined ? kind : t(`kinds.${known}`);
  };
}
