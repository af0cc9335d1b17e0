import { createFileRoute } from '@tanstack/react-router';
import { loadTouchpointTexts } from '#web/i18n/i18n.ts';
import { Compose } from '#web/outreach/new-email/compose.tsx';
import { NewEmail } from '#web/outreach/new-email/new-email.tsx';
import { checked, compact, readUuid } from '#web/platform/list-search.ts';

interface Search {
  brand?: string;
  campaign?: string;
  /** Id of the draft once it exists, to continue with it after returning. */
  email?: string;
}

export const Route = createFileRoute('/o/$orgId/emails/new')({
  beforeLoad: loadTouchpointTexts,
  validateSearch: checked((raw): Search =>
    compact({
      brand: readUuid(raw['brand']),
      campaign: readUuid(raw['campaign']),
      email: readUuid(raw['email']),
    }),
  ),
  component: NewEmailPage,
});

/** From the choice of a brand to a sent email, on one page. */
function NewEmailPage() {
  const { brand, campaign, email } = Route.useSearch();
  const navigate = Route.useNavigate();
  if (email !== undefined) return <Compose key={email} touchpointId={email} />;
  return (
    <NewEmail
      brandId={brand}
      campaignId={campaign}
      onBrand={(id) => void navigate({ search: (before) => ({ ...before, brand: id }), replace: true })}
      onDraft={(id) => void navigate({ search: { email: id }, replace: true })}
    />
  );
}
