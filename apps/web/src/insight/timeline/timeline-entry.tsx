import { Box, Group, Stack } from '@mantine/core';
import type { ContactVisit } from '@reachout/contract/contacts.ts';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { FinePrint, QuietText } from '#web/ui/text.ts';
import { Time } from '#web/ui/time.tsx';
import classes from './timeline-entry.module.css';

interface Props {
  place: Pick<ContactVisit, 'touchpoint' | 'campaign' | 'brand' | 'client'>;
  at: string;
  /** Above the time. */
  end: ReactNode;
  /** Lines. */
  children: ReactNode;
}

/** One entry: the touchpoint, what it belongs to, and the time. */
export function TimelineEntry({ place: { touchpoint, client, brand, campaign }, at, end, children }: Props) {
  const { t } = useTranslation('timeline');
  const { orgId } = useOrganization();
  return (
    <li className={classes.entry}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box flex="1 1 8rem" miw={0}>
          <LinkAnchor
            fw={500}
            className="break"
            to="/o/$orgId/touchpoints/$touchpointId"
            params={{ orgId, touchpointId: touchpoint.id }}
          >
            {touchpoint.name}
          </LinkAnchor>
          <QuietText className="break">
            {t('place', { client: client.name, brand: brand.name, campaign: campaign.name })}
          </QuietText>
        </Box>
        <Box flex="none" ta="end">
          {end}
          <FinePrint component="div" mt={2}>
            <Time at={at} as="dateTime" />
          </FinePrint>
        </Box>
      </Group>
      {children !== false && (
        <Stack component="ul" gap={4} className="bare" mt={8}>
          {children}
        </Stack>
      )}
    </li>
  );
}

export function TimelineLine({ icon: LineIcon, children }: { icon?: Icon; children: ReactNode }) {
  return (
    <li className={classes.line}>
      {LineIcon && <LineIcon size={16} className="quiet-icon" aria-hidden />}
      <span className="break">{children}</span>
    </li>
  );
}
