import { SimpleGrid, Stack, Text, UnstyledButton } from '@mantine/core';
import { templateStarters, type TemplateStarter } from '@reachout/contract/templates.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { StarterPicture } from '#web/content/templates/starter-picture.tsx';
import { TemplatePicture } from '#web/content/templates/template-picture.tsx';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';
import { QuietText, SubTitle } from '#web/ui/text.ts';
import { EmailPicture } from './email-picture.tsx';
import classes from './start-choice.module.css';

/** What an email begins with. */
export type Start =
  | { kind: 'goal'; starter: TemplateStarter }
  | { kind: 'template'; id: string }
  | { kind: 'email'; id: string };

interface Props {
  brandId: string;
  /** An email that is not offered. */
  except?: string;
  disabled: boolean;
  onStart: (start: Start) => void;
}

/** Number of options shown of each kind; the lists contain all of them. */
const offered = 6;

/** The starting point of an email: a purpose, an earlier email of the brand, or a template. */
export function StartChoice({ brandId, except, disabled, onStart }: Props) {
  const { t } = useTranslation('touchpoints');
  const { api, orgId, can } = useOrganization();
  const format = useFormat();
  const page = { organization_id: orgId, page: 0 };
  const emails = useQuery(
    api.touchpoints.list.queryOptions({
      input: { ...page, brand_id: brandId, order: 'updated_at.desc', page_size: 20 },
    }),
  );
  const templates = useQuery(
    api.templates.list.queryOptions({
      input: { ...page, brand_id: brandId, order: 'date_updated.desc', page_size: 20 },
      enabled: can('read', 'Template'),
    }),
  );
  // A list that arrives later would move the cards below it while somebody clicks one.
  if (emails.isLoading || templates.isLoading) return <PanelSkeleton height={480} />;
  const earlier = (emails.data?.items ?? [])
    .filter(({ id, type }) => type === 'email' && id !== except)
    .slice(0, offered);
  const known = (templates.data?.items ?? [])
    .filter(({ template_type }) => template_type === 'email')
    .slice(0, offered);
  const card = (key: string, start: Start, content: CardContent) => (
    <StartCard key={key} {...content} disabled={disabled} onClick={() => onStart(start)} />
  );
  return (
    <Stack gap="lg">
      {earlier.length > 0 && (
        <Cards title={t('newEmail.earlier')}>
          {earlier.map(({ id, name, updated_at, figures }) =>
            card(
              id,
              { kind: 'email', id },
              {
                picture: (
                  <EmailPicture
                    touchpointId={id}
                    version={figures?.last_send?.id ?? updated_at}
                    {...pictureSize}
                  />
                ),
                title: name,
                note: format.relative(updated_at),
              },
            ),
          )}
        </Cards>
      )}
      {known.length > 0 && (
        <Cards title={t('words.template')}>
          {known.map((template) =>
            card(
              template.id,
              { kind: 'template', id: template.id },
              {
                picture: <TemplatePicture template={template} brandId={brandId} {...pictureSize} />,
                title: template.title,
                note: format.relative(template.date_updated),
              },
            ),
          )}
        </Cards>
      )}
      <Cards title={t('words.goal')}>
        {templateStarters.map((starter) =>
          card(
            starter,
            { kind: 'goal', starter },
            {
              picture: <StarterPicture starter={starter} brandId={brandId} {...pictureSize} />,
              title: t(`newEmail.goal.${starter}.title`),
              note: t(`newEmail.goal.${starter}.body`),
            },
          ),
        )}
      </Cards>
    </Stack>
  );
}

const pictureSize = { width: 96, height: 104 };

function Cards({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <SubTitle mb="xs">{title}</SubTitle>
      <SimpleGrid type="container" cols={{ base: 1, '480px': 2, '840px': 3, '1000px': 4 }} spacing="sm">
        {children}
      </SimpleGrid>
    </section>
  );
}

interface CardContent {
  picture: ReactNode;
  title: string;
  note: string;
}

interface CardProps extends CardContent {
  disabled: boolean;
  onClick: () => void;
}

function StartCard({ picture, title, note, disabled, onClick }: CardProps) {
  return (
    <UnstyledButton className={classes.card} disabled={disabled} onClick={onClick}>
      {picture}
      <Stack component="span" gap={2} miw={0}>
        <Text span fw={600} size="sm" className="break">
          {title}
        </Text>
        <QuietText span>{note}</QuietText>
      </Stack>
    </UnstyledButton>
  );
}
