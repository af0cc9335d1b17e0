import { endpointPattern } from '@reachout/contract/rules/backend-failures.ts';
import { useTranslation } from 'react-i18next';

/** The contract's validation of addresses and tokens, with translated messages. */
export function useConnectionChecks() {
  const { t } = useTranslation(['backend', 'common']);
  return {
    endpoint: (value: string) => (endpointPattern.test(value.trim()) ? null : t('invalidEndpoint')),
    token: (value: string) => {
      if (value.trim() === '') return t('common:form.required');
      return isToken(value) ? null : t('tokenTooShort');
    },
    optionalToken: (value: string) => (value.trim() === '' || isToken(value) ? null : t('tokenTooShort')),
  };
}

const isToken = (value: string): boolean => /^[\x21-\x7e]{8,500}$/.test(value.trim());
