import type { StarterLanguage, TemplateStarter } from '@reachout/contract/templates.ts';
import { brandAccent, brandHead, mjmlLayout } from './mjml-layout.ts';
import { starterTexts, type StarterText } from './starter-texts.ts';

const colors = { accent: brandAccent, background: '#f1f4f7', muted: '#5c646f' };

/** @returns a complete email for one purpose, whose sample texts say what to replace them with */
export function starterMjml(starter: TemplateStarter, language: StarterLanguage): string {
  const { hello, regards, ...texts } = starterTexts[language];
  return mjmlLayout(colors, toSection(texts[starter], hello, regards), language);
}

const toSection = ({ title, paragraphs, button }: StarterText, hello: string, regards: string): string =>
  `    <mj-section background-color="#ffffff" padding="32px 16px" border-radius="8px">
      <mj-column>
${brandHead}
        <mj-text font-size="26px" font-weight="700" line-height="1.25">${title}</mj-text>
        <mj-text>${hello}</mj-text>
${paragraphs.map((paragraph) => `        <mj-text>${paragraph}</mj-text>`).join('\n')}
        <mj-button href="https://example.com/">${button}</mj-button>
        <mj-text>
          ${regards}<br />
          {{ brand.name }}
        </mj-text>
      </mj-column>
    </mj-section>`;
