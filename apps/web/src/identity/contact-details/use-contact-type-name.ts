import { useTranslation } from 'react-i18next';
import { contactDetails } from '#web/i18n/en/contact-details.ts';

type KnownType = keyof typeof contactDetails.contactTypes;
const isKnown = (id: string): id is KnownType => Object.hasOwn(contactDetails.contactTypes, id);

/** @returns a function that translates a contact type; one unknown to this release is shown by its name on the server */
export function useContactTypeName(): (type: { id: string; name: string }) => string {
  const { t } = useTranslation('contactDetails');
  return ({ id, name }) => (isKnown(id) ? t(`contactTypes.${id}`) : name);
}
