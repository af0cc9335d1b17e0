import { NumberInput, Select, TextInput, type SelectProps } from '@mantine/core';
import { maxWebsiteEventsDays, minWebsiteEventsDays } from '@reachout/contract/rules/lengths.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { countryNames } from '#web/identity/contact-details/country-name.ts';
import { CountrySelect } from '#web/identity/contact-details/country-select.tsx';
import { organizationSizesQuery } from '#web/identity/contact-details/reference.ts';
import { refresh } from '#web/platform/query-client.ts';
import { Logo } from './organization-logo.tsx';
import { useDenialReason } from './use-denial-reason.ts';
import { useOrganization } from './use-organization.ts';
import { ImageField } from '#web/ui/image-field.tsx';
import { SizeSelect, useSizeName } from './size-select.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { SaveBarForm } from '#web/ui/save-bar-form.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { useNameCheck } from '#web/ui/use-name-check.ts';
import { ValueList } from '#web/ui/value-list.tsx';

/** Name, size, country, retention and currency; saved with the bar that appears once something has changed. */
export function GeneralForm() {
  const { t } = useTranslation(['settings', 'common']);
  const { api, organization, orgId } = useOrganization();
  const checkName = useNameCheck();
  // The list of organizations shows these values, too.
  const update = useMutation(api.organizations.update.mutationOptions({ onSuccess: () => refresh('me') }));
  const form = useServerForm({
    initial: {
      name: organization.name,
      organization_size_id: organization.organization_size_id,
      country_id: organization.country_id,
      website_events_days: organization.website_events_days,
      currency: organization.currency,
    },
    checks: {
      name: checkName,
      website_events_days: (days) =>
        Number.isInteger(days) && days >= minWebsiteEventsDays && days <= maxWebsiteEventsDays
          ? null
          : t('general.visitDaysRange', { min: minWebsiteEventsDays, max: maxWebsiteEventsDays }),
    },
    submit: async (values) => {
      const saved = {
        ...values,
        name: values.name.trim(),
      };
      await update.mutateAsync({ id: orgId, ...saved });
      form.setSaved(saved);
    },
  });
  const { getInputProps } = form.fields;
  return (
    <SaveBarForm form={form}>
      <TextInput label={t('general.name')} {...getInputProps('name')} />
      <SizeSelect
        label={`${t('general.size')} ${t('common:optional')}`}
        {...getInputProps('organization_size_id')}
      />
      <CountrySelect
        clearable
        label={`${t('general.country')} ${t('common:optional')}`}
        {...getInputProps('country_id')}
      />
      <NumberInput
        label={t('general.visitDays')}
        description={t('general.visitDaysHint')}
        min={minWebsiteEventsDays}
        max={maxWebsiteEventsDays}
        clampBehavior="none"
        allowDecimal={false}
        {...getInputProps('website_events_days')}
      />
      <CurrencySelect
        label={t('general.currency')}
        description={t('general.currencyHint')}
        {...getInputProps('currency')}
      />
      <ValueList
        values={[{ name: t('general.status'), value: <StatusBadge status={organization.status} /> }]}
      />
    </SaveBarForm>
  );
}

/** `GeneralForm` without permission to change: text instead of disabled fields. */
export function GeneralValues() {
  const { t, i18n } = useTranslation(['settings', 'common']);
  const { organization } = useOrganization();
  const { data: sizes = [] } = useQuery(organizationSizesQuery);
  const sizeName = useSizeName();
  const size = sizes.find(({ id }) => id === organization.organization_size_id);
  const { country_id } = organization;
  return (
    <ValueList
      values={[
        { name: t('general.name'), value: organization.name },
        { name: t('general.size'), value: size ? sizeName(size) : t('common:none') },
        {
          name: t('general.country'),
          value: country_id === null ? t('common:none') : countryNames(i18n.language)(country_id),
        },
        { name: t('general.visitDays'), value: organization.website_events_days },
        { name: t('general.currency'), value: currencyNames(i18n.language)(organization.currency) },
        { name: t('general.status'), value: <StatusBadge status={organization.status} /> },
      ]}
    />
  );
}

export function OrganizationLogo() {
  const { t } = useTranslation('settings');
  const { organization, orgId } = useOrganization();
  const denialReason = useDenialReason();
  return (
    <ImageField
      label={t('general.logo')}
      url={organization.logo_url}
      uploadTo={`logos/organizations/${orgId}`}
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
