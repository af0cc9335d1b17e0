import { mjmlLayout } from './mjml-layout.ts';

/** The content of a new template: complete, without pictures, ready to be sent. */
export const defaultMjml = mjmlLayout(
  { accent: '#006ec6', background: '#f1f4f7', muted: '#5c646f' },
  `    <mj-section background-color="#ffffff" padding="32px 16px" border-radius="8px">
      <mj-column>
        <mj-text font-size="20px" font-weight="700" color="#006ec6">{{ brand.name }}</mj-text>
        <mj-text font-size="26px" font-weight="700" line-height="1.25">
          Hello {{ contact.first_name | default: "there" }},
        </mj-text>
        <mj-text>
          this is where your message begins. Say what is new, why it matters to the person who reads it, and
          what to do next.
        </mj-text>
        <mj-button href="https://example.com/">Read more</mj-button>
        <mj-text>
          Best regards<br />
          {{ brand.name }}
        </mj-text>
      </mj-column>
    </mj-section>`,
);
