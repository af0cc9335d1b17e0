import type { Touchpoint } from '@reachout/contract/touchpoints.ts';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { defaultEmailNames, nameBySubject } from '#web/outreach/new-email/draft-names.ts';

/** Renames an email that still has its default name, once its subject is saved. */
export function NameBySubject({ touchpoint, subject }: { touchpoint: Touchpoint; subject: string }) {
  const { t, i18n } = useTranslation('touchpoints');
  const { api, can } = useOrganization();
  const rename = useMutation(api.touchpoints.update.mutationOptions());
  const before = useRef(subject);
  const follow = useEffectEvent((next: string) => {
    const name = nameBySubject(touchpoint.name, {
      defaults: defaultEmailNames(t, i18n.language, new Date(touchpoint.created_at)),
      before: before.current,
      subject: next,
    });
    before.current = next;
    if (name !== undefined && can('update', 'Touchpoint')) rename.mutate({ id: touchpoint.id, name });
  });
  useEffect(() => follow(subject), [subject]);
  return null;
}
