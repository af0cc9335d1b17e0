import { Paper, Progress, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { Organization } from '@reachout/contract/organizations.ts';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, notFound } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  createOrganizationContext,
  organizationsQuery,
  permissionsQuery,
} from '#web/identity/organizations/organizations.ts';
import { OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { checked, compact, readUuid } from '#web/platform/list-search.ts';
import { loadSettingsTexts } from '#web/i18n/i18n.ts';
import { requireSession } from '#web/identity/auth/guards.ts';
import { AccountFrame } from '#web/shell/account-frame.tsx';
import { RouteNotFound } from '#web/shell/route-states.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';
import { DoneStep } from '#web/operations/onboarding/done-step.tsx';
import { OrganizationStep } from '#web/operations/onboarding/organization-step.tsx';
import { TeamStep } from '#web/operations/onboarding/team-step.tsx';
import {
  forgetWelcome,
  isWelcomeStep,
  rememberWelcome,
  welcomeSteps,
  type WelcomeStep,
} from '#web/operations/onboarding/welcome-steps.ts';
import { QuietText } from '#web/ui/text.ts';

/** The organization being set up; required by all steps but the first. */
const readSearch = checked((raw) => compact({ organization: readUuid(raw['organization']) }));

export const Route = createFileRoute('/welcome/$step')({
  validateSearch: readSearch,
  beforeLoad: async ({ context, location, params }) => {
    await requireSession(context.queryClient, location.href);
    await loadSettingsTexts();
    if (!isWelcomeStep(params.step)) throw notFound();
  },
  component: Welcome,
  notFoundComponent: RouteNotFound,
});

function Welcome() {
  const { t } = useTranslation(['organizations', 'onboarding', 'common']);
  const { step } = Route.useParams() as { step: WelcomeStep };
  const { organization: organizationId } = Route.useSearch();
  const navigate = Route.useNavigate();
  const query = useQuery(organizationsQuery);
  useDocumentTitle(`${t(`onboarding:welcome.steps.${step}`)} · ${t('common:product')}`);
  useEffect(() => {
    if (organizationId === undefined) return;
    if (step === 'done') forgetWelcome();
    else rememberWelcome(step, organizationId);
  }, [step, organizationId]);

  const go = (next: WelcomeStep, organization: string, replace = false) =>
    navigate({ to: '/welcome/$step', params: { step: next }, search: { organization }, replace });
  return (
    <AccountFrame>
      <Frame step={step}>
        <AsyncRegion query={query} what={t('title')} skeleton={<PanelSkeleton height={320} />}>
          {({ items }) => {
            const organization = items.find(({ id }) => id === organizationId);
            if (step === 'organization')
              return (
                <OrganizationStep
                  organization={organization}
                  onDone={async (id) => {
                    // Going back then shows the existing organization instead of a form for another one.
                    await go('organization', id, true);
                    await go('team', id);
                  }}
                />
              );
            if (organization === undefined) return <RouteNotFound />;
            return (
              <InOrganization organization={organization}>
                {step === 'team' ? (
                  <TeamStep onDone={() => void go('done', organization.id)} />
                ) : (
                  <DoneStep />
                )}
              </InOrganization>
            );
          }}
        </AsyncRegion>
      </Frame>
    </AccountFrame>
  );
}

function Frame({ step, children }: { step: WelcomeStep; children: ReactNode }) {
  const { t } = useTranslation(['organizations', 'onboarding']);
  const at = welcomeSteps.indexOf(step) + 1;
  return (
    <Paper withBorder radius="md" p={{ base: 'md', sm: 'lg' }} maw={640} mx="auto">
      <QuietText mb={6}>{t('onboarding:welcome.step', { at, of: welcomeSteps.length })}</QuietText>
      <Progress value={(at / welcomeSteps.length) * 100} size="sm" mb="md" aria-hidden />
      <Title order={1} mb="md">
        {t(`onboarding:welcome.steps.${step}`)}
      </Title>
      {children}
    </Paper>
  );
}

/** Provides the context of an organization outside its pages. */
function InOrganization({ organization, children }: { organization: Organization; children: ReactNode }) {
  const { t } = useTranslation(['organizations', 'onboarding']);
  const permissions = useQuery(permissionsQuery(organization.id));
  return (
    <AsyncRegion query={permissions} what={t('whatOne')} skeleton={<PanelSkeleton height={320} />}>
      {(known) => (
        <OrganizationContext value={createOrganizationContext(organization, known)}>
          {children}
        </OrganizationContext>
      )}
    </AsyncRegion>
  );
}
