import { useTranslation } from 'react-i18next';
import { organizations } from '#web/i18n/en/organizations.ts';

type KnownSize = keyof typeof organizations.sizes;
const isKnown = (id: string): id is KnownSize => Object.hasOwn(organizations.sizes, id);

/** How large an organization is, in the reader's language. */
export function useSizeName(): (size: { id: string; name: string }) => string {
  const { t } = useTranslation('organizations');
  return ({ id, name }) => (isKnown(id) ? t(`sizes.${id}`) : name);
}
