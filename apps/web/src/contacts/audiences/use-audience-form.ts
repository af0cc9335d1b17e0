import type { Filter } from '@reachout/contract/filters.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ownerKey, ownerOf } from '#web/content/owners/owner-key.ts';
import { useFirstOwner } from '#web/content/owners/use-contact-lists.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { notify } from '#web/ui/notify.tsx';
import { useNameCheck } from '#web/ui/use-name-check.ts';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { useAudienceContacts, type AudienceContacts, type MappedMeaning } from './use-audience-contacts.ts';
import { useRuleDraft } from './use-rule-draft.ts';

// The form is written by hand: rule and contacts have drafts beside the form, and are validated with it.

export interface EditedAudience {
  /** The audience to edit; undefined to create one. */
  filter?: Filter;
  /** Initial values of a new one. */
  start?: { name: string; brand_id: string };
  onSaved: (filter: Filter) => Promise<void>;
}

/** State of the audience editor: form, contacts and rule. */
export function useAudienceForm({ filter, start, onSaved }: EditedAudience) {
  const { t } = useTranslation(['audiences', 'common']);
  const { orgId, clientId, can } = useOrganization();
  const checkName = useNameCheck();
  const firstOwner = useFirstOwner();
  const startingOwner =
    filter === undefined && start === undefined && clientId === undefined
      ? firstOwner
      : ownerKey(
          filter ?? {
            client_id: start === undefined ? (clientId ?? null) : null,
            brand_id: start?.brand_id ?? null,
          },
        );
  const [owner, setOwner] = useState(startingOwner);
  const contacts = useAudienceContacts(filter, owner);
  const draft = useRuleDraft(filter, contacts.fields);
  const { create, update } = useAudienceChanges();
  const form = useServerForm({
    initial: {
      name: filter?.name ?? start?.name ?? '',
      client_id: startingOwner,
      is_active: filter?.is_active ?? true,
      time_zone: asMapped,
      language: asMapped,
      tracking_consent: asMapped,
      // Always empty: the rule is validated with the rest of the form.
      rule: '',
    },
    checks: {
      name: checkName,
      rule: () => (draft.unfinished.length > 0 ? t('common:form.required') : null),
    },
    fieldOfCode: { name_taken: 'name', owner_in_use: 'client_id' },
    submit: async (values) => {
      const { collection } = contacts;
      const field_mapping = withChosen(contacts.mapping, values);
      const { rule } = draft;
      const common = { name: values.name.trim(), ...ownerOf(values.client_id), rule, field_mapping };
      const saved = filter
        ? await update({ id: filter.id, is_active: values.is_active, ...common })
        : await create({ organization_id: orgId, collection, ...common });
      draft.setSaved();
      form.setSaved(values);
      // For an existing audience, the save bar confirms the save.
      if (!filter) notify(t('saved'));
      await onSaved(saved);
    },
  });
  return {
    form,
    contacts,
    draft,
    canEdit: can(filter ? 'update' : 'create', 'Filter') && can('read', 'Content'),
    setOwner: (key: string) => {
      form.fields.setFieldValue('client_id', key);
      setOwner(key);
    },
    discard: () => {
      form.fields.reset();
      setOwner(startingOwner);
      draft.discard();
    },
  };
}

/** In the form: the field that is stored, or found by its name. */
const asMapped = '*';

/** @returns the mapping with the fields that were chosen in the form, where an empty text is none */
export function withChosen(
  mapping: AudienceContacts['mapping'],
  { time_zone, language, tracking_consent }: Record<MappedMeaning, string>,
): AudienceContacts['mapping'] {
  const choose = (chosen: string, mapped: string | null) => (chosen === asMapped ? mapped : chosen || null);
  return {
    ...mapping,
    time_zone: choose(time_zone, mapping.time_zone),
    language: choose(language, mapping.language),
    tracking_consent: choose(tracking_consent, mapping.tracking_consent),
  };
}

export type AudienceFormState = ReturnType<typeof useAudienceForm>;

function useAudienceChanges() {
  const { api } = useOrganization();
  const { mutateAsync: create } = useMutation(api.filters.create.mutationOptions());
  const { mutateAsync: update } = useMutation(api.filters.update.mutationOptions());
  return { create, update };
}
