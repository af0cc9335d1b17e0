import { Select, Stack, Text } from '@mantine/core';
import type { Brand } from '@reachout/contract/clients.ts';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { listTimeZones } from '#web/identity/account/time-zones.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { redrawPictures } from '#web/ui/picture-limit.ts';
import { RecordFields, RecordValues } from '#web/ui/record-fields.tsx';
import { SaveBarForm } from '#web/ui/save-bar-form.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { useRecordForm } from '#web/ui/use-record-form.ts';
import { BrandColorField } from './brand-color-field.tsx';
import { BrandKitPreview } from './brand-kit-preview.tsx';
import { BrandLogos } from './brand-logos.tsx';
import { TrackingPolicyField } from './tracking-policy-field.tsx';
import classes from './brand-kit-form.module.css';

interface Props {
  brand: Brand;
  /** Why the brand cannot be changed; undefined if it can. */
  denialReason: string | undefined;
  /** Sections of other modules below. */
  children?: ReactNode;
}

/** The brand's look and sender details, with a live preview. Logos and what is below are stored immediately. */
export function BrandKitForm({ brand, denialReason, children }: Props) {
  const { t } = useTranslation(['brandKit', 'clients']);
  const form = useBrandKitForm(brand);
  const values = { ...brand, ...form.current };
  return (
    <div className={classes.columns}>
      {denialReason === undefined ? (
        <SaveBarForm form={form}>
          <SectionCard title={t('identity')} hint={t('identityHint')}>
            <Stack gap="md">
              <RecordFields form={form} only={['name', 'color']} />
              <BrandLogos brand={{ ...brand, color: values.color }} />
            </Stack>
          </SectionCard>
          <SectionCard id="sender" title={t('words.sender')} hint={t('senderHint')}>
            <RecordFields form={form} only={['from_name', 'from_email', 'reply_to']} />
          </SectionCard>
          <SectionCard id="legal" title={t('legal')} hint={t('legalHint')}>
            <RecordFields form={form} only={['postal_address', 'imprint', 'imprint_url']} />
          </SectionCard>
          <SectionCard id="tracking" title={t('tracking')} hint={t('trackingHint')}>
            <RecordFields form={form} only={['tracking_policy']} />
          </SectionCard>
          <SectionCard id="quiet-hours" title={t('quietHours')} hint={t('quietHoursHint')}>
            <RecordFields form={form} only={['quiet_hours_start', 'quiet_hours_end', 'time_zone']} />
          </SectionCard>
          {children}
        </SaveBarForm>
      ) : (
        <Stack gap="md">
          <Text c="dimmed">{denialReason}</Text>
          <RecordValues form={form} />
        </Stack>
      )}
      <BrandKitPreview brand={{ ...values, name: values.name || brand.name }} />
    </div>
  );
}

function useBrandKitForm(brand: Brand) {
  const { t } = useTranslation(['brandKit', 'clients', 'common']);
  const { brands } = useOrganization().api;
  const update = useMutation(brands.update.mutationOptions({ onSuccess: redrawPictures }));
  const [zones] = useState(() => listTimeZones(new Date()));
  return useRecordForm(boundsOf('brands.update'), {
    record: toShown(brand),
    fields: {
      name: { label: t('clients:nameBrand') },
      color: {
        input: BrandColorField,
        label: t('words.color'),
        hint: t('colorHint'),
        text: (color: Brand['color']) => t(`colors.${color}`),
      },
      from_name: { label: t('words.fromName'), hint: t('fromNameHint') },
      from_email: { label: t('words.fromEmail') },
      reply_to: { label: t('words.replyTo') },
      // The law asks for them, though the brand can be stored without.
      postal_address: {
        label: t('words.postalAddress'),
        hint: t('postalAddressHint'),
        rows: [3, 6],
        isOptional: false,
      },
      imprint: { label: t('imprint'), hint: t('imprintHint'), rows: [3, 10], isOptional: false },
      imprint_url: { label: t('imprintUrl') },
      tracking_policy: {
        input: TrackingPolicyField,
        label: t('clients:tracking.label'),
        text: (policy: Brand['tracking_policy']) => t(`clients:tracking.name.${policy}`),
      },
      quiet_hours_start: { label: t('words.from') },
      quiet_hours_end: { label: t('quietHoursEnd'), isBeside: true },
      time_zone: {
        label: t('words.timeZone'),
        hint: t('timeZoneHint'),
        isOptional: false,
        input: Select,
        inputProps: {
          searchable: true,
          limit: 600,
          allowDeselect: false,
          nothingFoundMessage: t('noZone'),
          data: zones,
        },
      },
    },
    checks: {
      from_name: (value) => (value.includes('@') ? t('words.withoutAt') : null),
      quiet_hours_start: (value, { quiet_hours_end: end }) =>
        value === '' && end !== '' ? t('common:form.required') : null,
      quiet_hours_end: (value, { quiet_hours_start: start }) =>
        value === '' && start !== ''
          ? t('common:form.required')
          : value !== '' && value === start
            ? t('sameTimes')
            : null,
    },
    save: async ({ time_zone, ...values }) =>
      toShown(
        await update.mutateAsync({
          ...values,
          id: brand.id,
          time_zone: time_zone === defaultZone ? null : time_zone,
        }),
      ),
  });
}

/** Of brands that have chosen none. */
const defaultZone = 'UTC';

const toShown = (brand: Brand) => ({ ...brand, time_zone: brand.time_zone ?? defaultZone });
