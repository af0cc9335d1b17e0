import { brandAccent, brandHead, indented, mjmlLayout } from './mjml-layout.ts';

/** Sample text for the author to replace. */
export const defaultParagraph =
  'This is where your message begins. Say what is new, why it matters to the person who reads it, and what to do next.';

/** The content of a new template: a complete email in the brand's color with its logo, ready to send. */
export const defaultMjml = mjmlLayout(
  { accent: brandAccent, background: '#f1f4f7', muted: '#5c646f' },
  `    <mj-section background-color="#ffffff" padding="32px 16px" border-radius="8px">
      <mj-column>
${indented(brandHead, 4)}
        <mj-text font-size="26px" font-weight="700" line-height="1.25">
          Hello {{ contact.first_name | default: "there" }},
        </mj-text>
        <mj-text>
          ${defaultParagraph}
        </mj-text>
        <mj-button href="https://example.com/">Read more</mj-button>
        <mj-text>
          Best regards<br />
          {{ brand.name }}
        </mj-text>
      </mj-column>
    </mj-section>`,
);
