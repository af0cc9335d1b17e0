import { Menu } from '@mantine/core';
import { graphStarters, type GraphStarter } from '@reachout/contract/event-graph.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { isProblem } from '#web/platform/problem.ts';
import { notify } from '#web/ui/notify.tsx';

/** Graphs to begin with, as menu items. */
export function useStartGraph(campaignId: string) {
  const { t, i18n } = useTranslation('eventGraph');
  const { api } = useOrganization();
  const start = useMutation(
    api.campaigns.startGraph.mutationOptions({ onSuccess: () => notify(t('start.done')) }),
  );
  const run = (starter: GraphStarter) =>
    start.mutate({ id: campaignId, starter, language: i18n.language === 'de' ? 'de' : 'en' });
  return {
    items: graphStarters.map((starter) => (
      <Menu.Item key={starter} disabled={start.isPending} onClick={() => run(starter)}>
        {t(`start.${starter}`)}
      </Menu.Item>
    )),
    isPending: start.isPending,
    error: start.error,
    /** What is missing for it, if that is why it was refused. */
    missing:
      isProblem(start.error, 422) && start.variables
        ? t(`start.missing.${start.variables.starter}`)
        : undefined,
  };
}
