import type { StarterLanguage } from '@reachout/contract/templates.ts';

interface LayoutColors {
  /** Background of buttons. */
  accent: string;
  background: string;
  /** Color of the small text above and below the message. */
  muted: string;
}

export const layoutTexts = {
  en: {
    view: 'View in browser',
    why: 'You receive this email because you asked {{ brand.name }} for it.',
    unsubscribe: 'Unsubscribe',
    imprint: 'Imprint',
  },
  de: {
    view: 'Im Browser ansehen',
    why: 'Sie erhalten diese E-Mail, weil Sie sie bei {{ brand.name }} bestellt haben.',
    unsubscribe: 'Abmelden',
    imprint: 'Impressum',
  },
} as const satisfies Record<StarterLanguage, object>;

/** Accent color of templates that take on the sending brand's color. */
export const brandAccent = '{{ brand.color }}';

/** A light background in the sending brand's color. */
export const brandTint = '{{ brand.tint }}';

/** @param levels  of two spaces, before each line that is not empty */
export const indented = (source: string, levels: number): string =>
  source.replaceAll(/^(?=.)/gm, '  '.repeat(levels));

/** The brand's logo, or its name if it has none. */
export const brandHead = `{% if brand.logo_url %}
<mj-image src="{{ brand.logo_url }}" alt="{{ brand.name }}" width="160px" align="left" />
{% else %}
<mj-text font-size="20px" font-weight="700" color="${brandAccent}">{{ brand.name }}</mj-text>
{% endif %}`;

/** Wraps sections in a complete template: "View in browser" above; "Unsubscribe", imprint and postal address below. */
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
          <a href="{{ links.view_in_browser }}" style="color:${muted}">${layoutTexts[language].view}</a>
        </mj-text>
      </mj-column>
    </mj-section>
${sections}
    <mj-section padding="16px 0 32px">
      <mj-column>
        <mj-text align="center" font-size="13px" color="${muted}">
          ${layoutTexts[language].why}<br />
          <a href="{{ links.unsubscribe }}" style="color:${muted}">${layoutTexts[language].unsubscribe}</a>
          {% if brand.imprint_url %} · <a href="{{ brand.imprint_url }}" style="color:${muted}">${layoutTexts[language].imprint}</a>{% endif %}
        </mj-text>
        {% if brand.postal_address or brand.imprint %}
        <mj-text align="center" font-size="12px" color="${muted}">
          {{ brand.postal_address }}{% if brand.imprint %}<br />{{ brand.imprint }}{% endif %}
        </mj-text>
        {% endif %}
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`;
