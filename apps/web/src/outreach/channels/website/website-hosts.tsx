import { Textarea } from '@mantine/core';
import { maxHosts, readWebsiteHost } from '@reachout/contract/rules/website-hosts.ts';
import type { Website } from '@reachout/contract/websites.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { notify } from '#web/ui/notify.tsx';
import { SaveBarForm } from '#web/ui/save-bar-form.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { ValueList } from '#web/ui/value-list.tsx';

/**
 * The hosts whose events are stored. By hand: a text of many lines stands for a list.
 */
export function WebsiteHosts({ website }: { website: Website }) {
  const { t } = useTranslation('websites');
  const { canEdit } = useTouchpoint();
  return (
    <SectionCard id="hosts" title={t('words.hosts')} hint={t('hosts.hint')}>
      {canEdit ? (
        <HostsForm website={website} />
      ) : (
        <ValueList
          values={[{ name: t('words.hosts'), value: website.hosts.join(', ') || t('hosts.none') }]}
        />
      )}
    </SectionCard>
  );
}

const linesOf = (text: string): string[] => text.split(/[\s,;]+/).filter((line) => line !== '');

function HostsForm({ website: { touchpoint_id, hosts } }: { website: Website }) {
  const { t } = useTranslation('websites');
  const { api } = useOrganization();
  const update = useMutation(api.websites.update.mutationOptions());
  const form = useServerForm({
    initial: { hosts: hosts.join('\n') },
    checks: {
      hosts: (text) => {
        const typed = linesOf(text);
        const wrong = typed.find((line) => readWebsiteHost(line) === undefined);
        if (wrong !== undefined) return t('hosts.invalid', { host: wrong });
        return typed.length > maxHosts ? t('hosts.tooMany', { max: maxHosts }) : null;
      },
    },
    submit: async (values) => {
      const saved = await update.mutateAsync({ id: touchpoint_id, hosts: linesOf(values.hosts) });
      form.setSaved({ hosts: saved.hosts.join('\n') });
      notify(t('hosts.saved'));
    },
  });
  return (
    <SaveBarForm form={form}>
      <Textarea
        label={t('hosts.label')}
        description={t('hosts.description')}
        minRows={2}
        maxRows={maxHosts}
        autoComplete="off"
        inputMode="url"
        spellCheck={false}
        {...form.fields.getInputProps('hosts')}
      />
    </SaveBarForm>
  );
}
