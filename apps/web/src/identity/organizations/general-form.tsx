import { Select, Stack, type SelectProps } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { countryNames } from '#web/identity/contact-details/country-name.ts';
import { CountrySelect } from '#web/identity/contact-details/country-select.tsx';
import { organizationSizesQuery } from '#web/identity/contact-details/reference.ts';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { refresh } from '#web/platform/query-client.ts';
import { Logo } from './organization-logo.tsx';
import { useDenialReason } from './use-denial-reason.ts';
import { useOrganization } from './use-organization.ts';
import { ImageField } from '#web/ui/image-field.tsx';
import { SizeSelect, useSizeName } from './size-select.tsx';
import { RecordFields, RecordValues } from '#web/ui/record-fields.tsx';
import { useRecordForm } from '#web/ui/use-record-form.ts';
import { SaveBarForm } from '#web/ui/save-bar-form.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { ValueList } from '#web/ui/value-list.tsx';

/** Name, size, country, retention and currency; saved with the bar that appears once something has changed. */
export function GeneralForm({ canChange }: { canChange: boolean }) {
  const { t, i18n } = useTranslation(['settings', 'common']);
  const { api, organization, orgId } = useOrganization();
  const { data: sizes = [] } = useQuery(organizationSizesQuery);
  const sizeName = useSizeName();
  // The list of organizations shows these values, too.
  const update = useMutation(api.organizations.update.mutationOptions({ onSuccess: () => refresh('me') }));
  const form = useRecordForm(boundsOf('organizations.update'), {
    record: organization,
    fields: {
      name: { label: t('form.name') },
      organization_size_id: {
        label: t('words.size'),
        input: SizeSelect,
        text: (id: string) => sizes.filter((size) => size.id === id).map(sizeName),
      },
      country_id: {
        label: t('words.country'),
        input: CountrySelect,
        inputProps: { clearable: true },
        text: countryNames(i18n.language),
      },
      website_events_days: { label: t('general.visitDays'), hint: t('general.visitDaysHint') },
      currency: {
        label: t('words.currency'),
        hint: t('general.currencyHint'),
        input: CurrencySelect,
        text: currencyNames(i18n.language),
      },
    },
    save: (values) => update.mutateAsync({ id: orgId, ...values }),
  });
  const status = (
    <ValueList values={[{ name: t('words.status'), value: <StatusBadge status={organization.status} /> }]} />
  );
  if (canChange)
    return (
      <SaveBarForm form={form}>
        <RecordFields form={form} />
        {status}
      </SaveBarForm>
    );
  return (
    <Stack gap="sm">
      <RecordValues form={form} />
      {status}
    </Stack>
  );
}

export function OrganizationLogo() {
  const { t } = useTranslation('settings');
  const { organization, orgId } = useOrganization();
  const denialReason = useDenialReason();
  return (
    <ImageField
      label={t('words.logo')}
      url={organization.logo_url}
      kind="organizationLogo"
      id={orgId}
      preview={(url) => <Logo name={organization.name} logo={url} size={72} />}
      denialReason={denialReason('update', 'Organization')}
      onChanged={() => refresh('me', orgId)}
    />
  );
}

/** All currencies, translated and sorted by the user's language; the search also matches the code. */
function CurrencySelect(props: Omit<SelectProps, 'data' | 'searchable'>) {
  const { t, i18n } = useTranslation('settings');
  const nameOf = currencyNames(i18n.language);
  const options = Intl.supportedValuesOf('currency')
    .map((value) => ({ value, label: nameOf(value) }))
    .toSorted((one, other) => one.label.localeCompare(other.label, i18n.language));
  return (
    <Select
      searchable
      allowDeselect={false}
      // Typing replaces the current currency.
      onFocus={(event) => event.currentTarget.select()}
      limit={400}
      data={options}
      nothingFoundMessage={t('general.noCurrency')}
      {...props}
    />
  );
}

/**
 * @returns a function from ISO 4217 codes to names with the code: Euro (EUR)
 * @param locale  BCP 47, such as `de`
 */
function currencyNames(locale: string): (code: string) => string {
  const names = new Intl.DisplayNames(locale, { type: 'currency', fallback: 'code' });
  return (code) => `${names.of(code) ?? code} (${code})`;
}
