import { brandAccent, mjmlLayout } from '../../content/templates/mjml-layout.ts';
import { plots, type BrandKey, type Story, type Topic } from './story/story.ts';

/**
 * @returns the MJML of a demo email: the logo, a picture, and examples of what templates can do
 * @param publicUrl  without a trailing slash
 */
export function demoMjml(story: Story, brand: BrandKey, [title, text]: Topic, publicUrl: string): string {
  const { about, button, more } = story.brands[brand];
  const site = `https://${plots[brand].domain}`;
  return mjmlLayout(
    { accent: brandAccent, background: '#f1f4f7', muted: '#5c646f' },
    `    <mj-section background-color="#ffffff" padding="20px 12px 12px" border-radius="8px 8px 0 0">
      <mj-column>
        {% if brand.logo_url %}
        <mj-image src="{{ brand.logo_url }}" alt="{{ brand.name }}" width="44px" align="left" />
        {% else %}
        <mj-text font-size="20px" font-weight="700" color="${brandAccent}">{{ brand.name }}</mj-text>
        {% endif %}
      </mj-column>
    </mj-section>
    <mj-section background-color="#ffffff" padding="0">
      <mj-column>
        <mj-image src="${publicUrl}/demo/${brand}.png" alt="" width="600px" padding="0" />
      </mj-column>
    </mj-section>
    <mj-section background-color="#ffffff" padding="24px 12px 8px">
      <mj-column>
        <mj-text font-size="28px" font-weight="700" line-height="1.2">${title}</mj-text>
        <mj-text>${story.hello}</mj-text>
        <mj-text>${text}</mj-text>
        <mj-text>${about}</mj-text>
        {% if contact.vip %}
        <mj-text color="${brandAccent}" font-weight="700">${story.vip}</mj-text>
        {% endif %}
        <mj-button href="${site}/" align="left">${button}</mj-button>
      </mj-column>
    </mj-section>
    <mj-section background-color="#ffffff" padding="8px 12px 24px" border-radius="0 0 8px 8px">
${more.map((part) => toColumn(part, site)).join('\n')}
    </mj-section>`,
    story.language,
  );
}

const toColumn = ([title, text, slug]: Story['brands'][BrandKey]['more'][number], site: string): string =>
  `      <mj-column>
        <mj-text font-weight="700"><a href="${site}/${slug}" style="color:${brandAccent}">${title}</a></mj-text>
        <mj-text font-size="15px">${text}</mj-text>
      </mj-column>`;
