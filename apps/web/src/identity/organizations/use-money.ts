import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from './use-organization.ts';

/** Formats values of conversions, which are in the currency of the organization. */
export function useMoney(): (value: number) => string {
  const { locale } = useFormat();
  const { currency } = useOrganization().organization;
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  return (value) => format.format(value);
}
