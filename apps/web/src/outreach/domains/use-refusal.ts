import { domainNameProblems } from '@reachout/contract/states/domain.ts';
import { useTranslation } from 'react-i18next';

/** @returns a function that says why a name cannot be added, for `explained` */
export function useRefusal(): (code: string, data: Record<string, unknown>) => string | undefined {
  const { t } = useTranslation('domains');
  return (code, data) => {
    if (code === 'domain_exists') return t('exists');
    if (code === 'domain_taken') return t('taken');
    const reason = domainNameProblems.find((problem) => problem === data['reason']);
    return code === 'domain_refused' && reason !== undefined ? t(`refused.${reason}`) : undefined;
  };
}
