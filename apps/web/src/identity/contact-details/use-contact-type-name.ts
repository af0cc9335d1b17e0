import { useTranslation } from 'react-i18next';
import { isKnownContactType } from './reference.ts';

/** A contact type in the reader's language; one this release has no words for by its name on the server. */
export function useContactTypeName(): (type: { id: string; name: string }) => string {
  const { t } = useTranslation('contactDetails');
  return ({ id, name }) => (isKnownContactType(id) ? t(`contactTypes.${id}`) : name);
}
