import { mjmlLayout } from '../../content/templates/mjml-layout.ts';

/** The newsletter of the demo: all features of templates on one page. */
export const demoMjml = mjmlLayout(
  { accent: '#1f6f4a', background: '#eef3ee', muted: '#52665a' },
  `    <mj-section background-color="#1f6f4a" padding="36px 24px" border-radius="8px 8px 0 0">
      <mj-column>
        <mj-text font-size="14px" color="#d8ecdf">{{ brand.name }} · {{ campaign.name }}</mj-text>
        <mj-text font-size="30px" font-weight="700" line-height="1.2" color="#ffffff">Spring is here</mj-text>
      </mj-column>
    </mj-section>
    <mj-section background-color="#ffffff" padding="28px 24px">
      <mj-column>
        <mj-text>Hello {{ contact.first_name | default: "there" }},</mj-text>
        <mj-text>
          the snow is gone{% if contact.city %} in {{ contact.city }}{% endif %}, and the trails are waiting. We packed
          what you need for the first long walk of the year.
        </mj-text>
        {% if contact.vip %}
        <mj-text color="#1f6f4a" font-weight="700">For you as a regular: everything is 10% off until Sunday.</mj-text>
        {% endif %}
        <mj-button href="https://shop.nordwind.example/spring">See the spring collection</mj-button>
      </mj-column>
    </mj-section>
    <mj-section background-color="#ffffff" padding="0 24px 28px" border-radius="0 0 8px 8px">
      <mj-column>
        <mj-text font-weight="700">Light jackets</mj-text>
        <mj-text font-size="15px">Windproof, and smaller than a sandwich.</mj-text>
        <mj-text font-size="15px"><a href="https://shop.nordwind.example/jackets" style="color:#1f6f4a">Jackets</a></mj-text>
      </mj-column>
      <mj-column>
        <mj-text font-weight="700">Dry feet</mj-text>
        <mj-text font-size="15px">Boots for wet meadows and long evenings.</mj-text>
        <mj-text font-size="15px"><a href="https://shop.nordwind.example/boots" style="color:#1f6f4a">Boots</a></mj-text>
      </mj-column>
    </mj-section>`,
);
