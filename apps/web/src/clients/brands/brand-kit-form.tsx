import { Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { Brand } from '@reachout/contract/clients.ts';
import { isEmail, isWebAddress } from '@reachout/contract/rules/addresses.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listTimeZones } from '#web/identity/account/time-zones.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { redrawPictures } from '#web/ui/picture-limit.ts';
import { SaveBarForm } from '#web/ui/save-bar-form.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { useNameCheck } from '#web/ui/use-name-check.ts';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { ValueList } from '#web/ui/value-list.tsx';
import { BrandColorField } from './brand-color-field.tsx';
import { BrandKitPreview } from './brand-kit-preview.tsx';
import { BrandLogos } from './brand-logos.tsx';
import { TrackingPolicyField } from './tracking-policy-field.tsx';
import classes from './brand-kit-form.module.css';

/** Form for the brand's look and sender details, with a live preview. Logos are stored immediately. */
export function BrandKitForm({ brand }: { brand: Brand }) {
  const { t } = useTranslation(['brandKit', 'clients', 'common']);
  const form = useBrandKitForm(brand);
  const { getInputProps } = form.fields;
  const values = form.fields.getValues();
  const optional = (label: string) => `${label} ${t('common:optional')}`;
  const [zones] = useState(() => listTimeZones(new Date()));
  return (
    <div className={classes.columns}>
      <SaveBarForm form={form}>
        <SectionCard title={t('identity')} hint={t('identityHint')}>
          <Stack gap="md">
            <TextInput label={t('clients:nameBrand')} {...getInputProps('name')} />
            <BrandColorField {...getInputProps('color')} />
            <BrandLogos brand={{ ...brand, color: values.color }} />
          </Stack>
        </SectionCard>
        <SectionCard id="sender" title={t('sender')} hint={t('senderHint')}>
          <Stack gap="md">
            <TextInput
              label={optional(t('fromName'))}
              description={t('fromNameHint')}
              {...getInputProps('from_name')}
            />
            <TextInput type="email" label={optional(t('fromEmail'))} {...getInputProps('from_email')} />
            <TextInput type="email" label={optional(t('replyTo'))} {...getInputProps('reply_to')} />
          </Stack>
        </SectionCard>
        <SectionCard id="legal" title={t('legal')} hint={t('legalHint')}>
          <Stack gap="md">
            <Textarea
              autosize
              minRows={3}
              maxRows={6}
              label={t('postalAddress')}
              description={t('postalAddressHint')}
              {...getInputProps('postal_address')}
            />
            <Textarea
              autosize
              minRows={3}
              maxRows={10}
              label={t('imprint')}
              description={t('imprintHint')}
              {...getInputProps('imprint')}
            />
            <TextInput type="url" label={optional(t('imprintUrl'))} {...getInputProps('imprint_url')} />
          </Stack>
        </SectionCard>
        <SectionCard id="tracking" title={t('tracking')} hint={t('trackingHint')}>
          <TrackingPolicyField {...getInputProps('tracking_policy')} />
        </SectionCard>
        <SectionCard id="quiet-hours" title={t('quietHours')} hint={t('quietHoursHint')}>
          <Stack gap="md">
            <Group grow align="flex-start">
              <TextInput
                type="time"
                label={optional(t('quietHoursStart'))}
                {...getInputProps('quiet_hours_start')}
              />
              <TextInput
                type="time"
                label={optional(t('quietHoursEnd'))}
                {...getInputProps('quiet_hours_end')}
              />
            </Group>
            <Select
              label={t('timeZone')}
              description={t('timeZoneHint')}
              searchable
              limit={600}
              allowDeselect={false}
              nothingFoundMessage={t('noZone')}
              data={zones}
              {...getInputProps('time_zone')}
            />
          </Stack>
        </SectionCard>
      </SaveBarForm>
      <BrandKitPreview brand={{ ...brand, ...values, name: values.name.trim() || brand.name }} />
    </div>
  );
}

function useBrandKitForm(brand: Brand) {
  const { t } = useTranslation(['brandKit', 'common']);
  const { brands } = useOrganization().api;
  const update = useMutation(brands.update.mutationOptions({ onSuccess: redrawPictures }));
  const checkEmail = (value: string) =>
    value.trim() === '' || isEmail(value) ? null : t('common:form.email');
  const form = useServerForm({
    initial: toValues(brand),
    limits: { from_name: 120, from_email: 254, postal_address: 500, imprint: 2_000, imprint_url: 500 },
    checks: {
      name: useNameCheck(),
      from_name: (value) => (value.includes('@') ? t('at') : null),
      from_email: checkEmail,
      reply_to: checkEmail,
      imprint_url: (value) => (value.trim() === '' || isWebAddress(value) ? null : t('webAddress')),
      quiet_hours_start: (value, { quiet_hours_end: end }) =>
        value === '' && end !== '' ? t('common:form.required') : null,
      quiet_hours_end: (value, { quiet_hours_start: start }) =>
        value === '' && start !== ''
          ? t('common:form.required')
          : value !== '' && value === start
            ? t('sameTimes')
            : null,
    },
    submit: async (values) => {
      const { from_email, reply_to, imprint_url, time_zone, quiet_hours_start, quiet_hours_end, ...rest } =
        values;
      const stored = await update.mutateAsync({
        ...rest,
        id: brand.id,
        from_email: from_email.trim(),
        reply_to: reply_to.trim() || null,
        imprint_url: imprint_url.trim() || null,
        time_zone: time_zone === defaultZone ? null : time_zone,
        quiet_hours_start: quiet_hours_start || null,
        quiet_hours_end: quiet_hours_end || null,
      });
      form.setSaved(toValues(stored));
    },
  });
  return form;
}

/** Of brands that have chosen none. */
const defaultZone = 'UTC';

const toValues = (brand: Brand) => ({
  name: brand.name,
  color: brand.color,
  from_name: brand.from_name,
  from_email: brand.from_email,
  reply_to: brand.reply_to ?? '',
  postal_address: brand.postal_address,
  imprint: brand.imprint,
  imprint_url: brand.imprint_url ?? '',
  time_zone: brand.time_zone ?? defaultZone,
  quiet_hours_start: brand.quiet_hours_start ?? '',
  quiet_hours_end: brand.quiet_hours_end ?? '',
  tracking_policy: brand.tracking_policy,
});

/** `BrandKitForm` without permission to change: text instead of disabled fields. */
export function BrandKitValues({ brand, denialReason }: { brand: Brand; denialReason: string }) {
  const { t } = useTranslation(['brandKit', 'clients', 'common']);
  const none = t('common:none');
  return (
    <div className={classes.columns}>
      <Stack gap="md">
        <Text c="dimmed">{denialReason}</Text>
        <ValueList
          values={[
            { name: t('clients:nameBrand'), value: brand.name },
            { name: t('color'), value: t(`colors.${brand.color}`) },
            { name: t('fromName'), value: brand.from_name || none },
            { name: t('fromEmail'), value: brand.from_email || none },
            { name: t('replyTo'), value: brand.reply_to ?? none },
            { name: t('postalAddress'), value: <Lines text={brand.postal_address || none} /> },
            { name: t('imprint'), value: <Lines text={brand.imprint || none} /> },
            { name: t('imprintUrl'), value: brand.imprint_url ?? none },
            { name: t('tracking'), value: t(`clients:tracking.name.${brand.tracking_policy}`) },
            {
              name: t('quietHours'),
              value:
                brand.quiet_hours_start === null
                  ? none
                  : `${brand.quiet_hours_start}–${brand.quiet_hours_end} (${brand.time_zone ?? defaultZone})`,
            },
          ]}
        />
      </Stack>
      <BrandKitPreview brand={brand} />
    </div>
  );
}

const Lines = ({ text }: { text: string }) => <span className={classes.lines}>{text}</span>;
