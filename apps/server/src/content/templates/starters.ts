import type { StarterLanguage, TemplateStarter } from '@reachout/contract/templates.ts';
import { brandAccent, brandHead, brandTint, indented, mjmlLayout } from './mjml-layout.ts';
import { greetings, starterTexts, type StarterTexts } from './starter-texts.ts';

const muted = '#5c646f';
const border = '#d5dae1';
const link = 'https://example.com/';

/** @returns a complete email for one purpose, whose sample texts say what to replace them with */
export function starterMjml(starter: TemplateStarter, language: StarterLanguage): string {
  const sections = writers[starter](starterTexts[language], greetings[language]);
  const background = starter === 'personal' ? '#ffffff' : '#f1f4f7';
  return mjmlLayout({ accent: brandAccent, background, muted }, indented(sections, 2), language);
}

const element = (name: string, attributes: string, content: readonly string[]): string =>
  `<${name}${attributes && ` ${attributes}`}>\n${indented(content.join('\n'), 1)}\n</${name}>`;

const section = (attributes: string, ...columns: string[]): string =>
  element('mj-section', `background-color="#ffffff" ${attributes}`, columns);

const column = (attributes: string, ...blocks: string[]): string => element('mj-column', attributes, blocks);

/** A section of one column: the whole card. */
const card = (...blocks: string[]): string =>
  section('padding="32px 16px" border-radius="8px"', column('', ...blocks));

/** The parts of a card of several sections. */
const top = (...blocks: string[]): string =>
  section('padding="32px 16px 8px" border-radius="8px 8px 0 0"', column('', ...blocks));
const bottom = (...blocks: string[]): string =>
  section('padding="8px 16px 32px" border-radius="0 0 8px 8px"', column('', ...blocks));

/** A band in the brand's color, at the top of a card. */
const band = (...blocks: string[]): string =>
  section(
    `padding="40px 16px" border-radius="8px 8px 0 0" background-color="${brandAccent}"`,
    column('', ...blocks),
  ).replace('background-color="#ffffff" ', '');

const text = (content: string, attributes = ''): string =>
  `<mj-text${attributes && ` ${attributes}`}>${content}</mj-text>`;

const title = (content: string, attributes = ''): string =>
  text(
    `<h1 style="margin:0;font-size:28px;line-height:1.25">${content}</h1>`,
    `font-size="28px" font-weight="700" line-height="1.25"${attributes && ` ${attributes}`}`,
  );

const subtitle = (content: string, attributes = ''): string =>
  text(
    `<h2 style="margin:0;font-size:20px;line-height:1.3">${content}</h2>`,
    `font-size="20px" font-weight="700" line-height="1.3"${attributes && ` ${attributes}`}`,
  );

const button = (label: string, attributes = ''): string =>
  `<mj-button href="${link}"${attributes && ` ${attributes}`}>${label}</mj-button>`;

const anchor = (label: string, href = link): string =>
  `<a href="${href}" style="color:${brandAccent}">${label}</a>`;

const divider = `<mj-divider border-width="1px" border-color="${border}" padding="12px 25px" />`;
const center = 'align="center"';
const onAccent = 'color="#ffffff"';

type Writer = (texts: StarterTexts, greeting: string) => string;

const writers: Record<TemplateStarter, Writer> = {
  blank: ({ blank: { sample, label } }, greeting) =>
    card(
      brandHead,
      title(greeting),
      text(sample.lead),
      button(label.button),
      text(`${label.regards}<br />{{ brand.name }}`),
    ),
  newsletter: ({ newsletter: { title: name, sample, label } }, greeting) =>
    card(
      brandHead,
      title(name),
      text(greeting),
      text(sample.lead),
      button(label.button, 'align="left"'),
      divider,
      subtitle(label.firstTitle),
      text(`${sample.first}<br />${anchor(label.more)}`),
      divider,
      subtitle(label.secondTitle),
      text(`${sample.second}<br />${anchor(label.more)}`),
      divider,
      subtitle(label.thirdTitle),
      text(sample.third),
    ),
  announcement: ({ announcement: { title: name, sample, label } }, greeting) =>
    [
      band(
        text(label.kind, `${onAccent} font-size="14px" font-weight="700"`),
        title(name, onAccent),
        text(sample.lead, `${onAccent} font-size="18px"`),
      ),
      bottom(text(greeting, 'padding-top="24px"'), text(sample.change), button(label.button, 'align="left"')),
    ].join('\n'),
  offer: ({ offer: { title: name, sample, label } }) =>
    [
      top(
        brandHead,
        title(name, center),
        text(
          sample.amount,
          `${center} font-size="56px" font-weight="700" line-height="1.1" color="${brandAccent}"`,
        ),
        text(sample.what, center),
      ),
      section(
        'padding="8px 16px"',
        column(
          `background-color="${brandTint}" border="2px dashed ${brandAccent}" border-radius="8px" padding="12px"`,
          text(label.codeTitle, `${center} font-size="14px"`),
          text(sample.code, `${center} font-size="24px" font-weight="700"`),
        ),
      ),
      bottom(button(label.button), text(sample.until, `${center} font-size="14px" color="${muted}"`)),
    ].join('\n'),
  invitation: ({ invitation: { title: name, sample, label } }, greeting) =>
    [
      top(
        brandHead,
        title(name, `${center} padding-top="32px"`),
        text(greeting, center),
        text(sample.what, center),
      ),
      section(
        'padding="8px 16px"',
        column(
          `background-color="${brandTint}" padding="12px 0"`,
          text(label.when, `${center} font-weight="700" padding-bottom="0"`),
          text(sample.date, center),
        ),
        column(
          `background-color="${brandTint}" padding="12px 0"`,
          text(label.where, `${center} font-weight="700" padding-bottom="0"`),
          text(sample.place, center),
        ),
      ),
      bottom(button(label.button), text(sample.reply, `${center} font-size="14px" color="${muted}"`)),
    ].join('\n'),
  product: ({ product: { title: name, sample, label } }) =>
    [
      top(
        brandHead,
        title(name),
        text(sample.lead, 'font-size="18px"'),
        button(label.button, 'align="left"'),
      ),
      section(
        'padding="8px 16px 32px" border-radius="0 0 8px 8px"',
        ...(
          [
            [label.firstTitle, sample.first],
            [label.secondTitle, sample.second],
            [label.thirdTitle, sample.third],
          ] as const
        ).map(([reason, why]) =>
          column(
            '',
            `<mj-divider border-width="4px" border-color="${brandAccent}" width="48px" align="left" />`,
            subtitle(reason),
            text(why, 'font-size="15px"'),
          ),
        ),
      ),
    ].join('\n'),
  welcome: ({ welcome: { title: name, sample, label } }, greeting) =>
    [
      band(title(name, `${center} ${onAccent}`)),
      section('padding="24px 16px 0"', column('', text(greeting), text(sample.lead))),
      ...(
        [
          ['1', label.firstTitle, sample.first],
          ['2', label.secondTitle, sample.second],
          ['3', label.thirdTitle, sample.third],
        ] as const
      ).map(([number, step, how]) =>
        section(
          'padding="8px 16px 0"',
          element('mj-group', '', [
            column(
              'width="16%" vertical-align="top"',
              text(
                number,
                `${center} font-size="28px" font-weight="700" color="${brandAccent}" padding="10px 0"`,
              ),
            ),
            column('width="84%" vertical-align="top"', text(`<strong>${step}</strong><br />${how}`)),
          ]),
        ),
      ),
      bottom(button(label.button)),
    ].join('\n'),
  reengagement: ({ reengagement: { title: name, sample, label } }, greeting) =>
    card(
      brandHead,
      title(name, 'padding-top="32px"'),
      text(greeting),
      text(sample.lead),
      text(sample.choice),
      button(label.button, 'width="240px"'),
      text(anchor(label.stop, '{{ links.unsubscribe }}'), center),
    ),
  receipt: ({ receipt: { title: name, sample, label } }, greeting) =>
    [
      top(brandHead, title(name), text(greeting), text(sample.lead)),
      section(
        'padding="8px 16px"',
        column(
          '',
          subtitle(`${label.order} ${sample.number}`),
          element('mj-table', 'font-size="16px" line-height="1.5" color="#1f2933"', [
            ...[sample.item, sample.other].map(
              (item) =>
                `<tr><td style="padding:8px 0;border-bottom:1px solid ${border}">${item}</td><td style="padding:8px 0;border-bottom:1px solid ${border};text-align:right">${sample.price}</td></tr>`,
            ),
            `<tr><td style="padding:8px 0;font-weight:700">${label.sum}</td><td style="padding:8px 0;font-weight:700;text-align:right">${sample.price}</td></tr>`,
          ]),
        ),
      ),
      bottom(button(label.button, 'align="left"')),
    ].join('\n'),
  personal: ({ personal: { sample, label } }, greeting) =>
    section(
      'padding="8px 16px"',
      column(
        '',
        text(greeting),
        text(sample.lead),
        text(sample.question),
        text(`${label.regards}<br />${sample.name}<br />${anchor('{{ brand.name }}')}`),
      ),
    ),
  feedback: ({ feedback: { title: name, sample, label } }, greeting) =>
    [
      top(brandHead, title(name, center), text(greeting, center), text(sample.lead, center)),
      section(
        'padding="8px 16px 0"',
        element(
          'mj-group',
          '',
          [1, 2, 3, 4, 5].map((grade) =>
            column(
              '',
              `<mj-button href="${link}?grade=${grade}" padding="10px 4px" inner-padding="12px 0" width="100%" background-color="${brandTint}" color="#1f2933">${grade}</mj-button>`,
            ),
          ),
        ),
      ),
      section(
        'padding="0 16px"',
        element('mj-group', '', [
          column('', text(label.low, `font-size="14px" color="${muted}" padding="0 8px"`)),
          column('', text(label.high, `font-size="14px" color="${muted}" padding="0 8px" align="right"`)),
        ]),
      ),
      bottom(button(label.button), text(sample.time, `${center} font-size="14px" color="${muted}"`)),
    ].join('\n'),
  reminder: ({ reminder: { title: name, sample, label } }) =>
    [
      band(
        text(label.kind, `${center} ${onAccent} font-size="14px" font-weight="700"`),
        title(name, `${center} ${onAccent}`),
        text(sample.date, `${center} ${onAccent} font-size="20px" font-weight="700" padding-bottom="0"`),
        text(sample.place, `${center} ${onAccent}`),
      ),
      bottom(
        subtitle(label.list, 'padding-top="24px"'),
        text(
          `<ul><li>${sample.first}</li><li>${sample.second}</li><li>${sample.third}</li></ul>`,
          'padding="0 25px"',
        ),
        button(label.button, 'align="left"'),
      ),
    ].join('\n'),
  report: ({ report: { title: name, sample, label } }) =>
    [
      top(brandHead, title(name), text(sample.lead)),
      section(
        'padding="8px 16px"',
        ...(
          [
            [sample.firstNumber, sample.first],
            [sample.secondNumber, sample.second],
            [sample.thirdNumber, sample.third],
          ] as const
        ).map(([number, meaning]) =>
          column(
            `background-color="${brandTint}" padding="12px 0"`,
            text(
              number,
              `${center} font-size="36px" font-weight="700" color="${brandAccent}" line-height="1.1" padding-bottom="0"`,
            ),
            text(meaning, `${center} font-size="14px"`),
          ),
        ),
      ),
      bottom(
        text(
          `<blockquote style="margin:0;padding-left:16px;border-left:3px solid ${brandAccent}">${sample.quote}<br /><span style="font-size:14px;color:${muted}">${sample.source}</span></blockquote>`,
          'font-size="18px" padding-top="24px"',
        ),
        button(label.button, 'align="left"'),
      ),
    ].join('\n'),
};

/** The content of a new template, unless another one is chosen: a letter of a few lines, ready to send. */
export const defaultMjml = starterMjml('blank', 'en');
