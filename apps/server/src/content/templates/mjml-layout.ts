import type { StarterLanguage } from '@reachout/contract/templates.ts';

interface LayoutColors {
  /** Of buttons. */
  accent: string;
  background: string;
  /** Of the small text above and below the message. */
  muted: string;
}

const texts = {
  en: {
    view: 'View in browser',
    why: 'You receive this email because you asked {{ brand.name }} for it.',
    unsubscribe: 'Unsubscribe',
  },
  de: {
    view: 'Im Browser ansehen',
    why: 'Sie erhalten diese E-Mail, weil Sie sie bei {{ brand.name }} bestellt haben.',
    unsubscribe: 'Abmelden',
  },
} as const satisfies Record<StarterLanguage, object>;

/** A complete template around some sections: "View in browser" above, "Unsubscribe" below. */
export const mjmlLayout = (
  { accent, background, muted }: LayoutColors,
  sections: string,
  language: StarterLanguage = 'en',
): string => `<mjml>
  <mj-head>
    <mj-attributes>
      <mj-all font-family="Helvetica, Arial, sans-serif" />
      <mj-text font-size="16px" line-height="1.5" color="#1f2933" />
      <mj-button background-color="${accent}" color="#ffffff" border-radius="6px" font-size="16px" inner-padding="12px 24px" />
    </mj-attributes>
  </mj-head>
  <mj-body background-color="${background}" width="600px">
    <mj-section padding="24px 0 8px">
      <mj-column>
        <mj-text align="center" font-size="13px" color="${muted}">
          <a href="{{ links.view_in_browser }}" style="color:${muted}">${texts[language].view}</a>
        </mj-text>
      </mj-column>
    </mj-section>
${sections}
    <mj-section padding="16px 0 32px">
      <mj-column>
        <mj-text align="center" font-size="13px" color="${muted}">
          ${texts[language].why}<br />
          <a href="{{ links.unsubscribe }}" style="color:${muted}">${texts[language].unsubscribe}</a>
        </mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`;
