import { escapeHtml } from '../../email/liquid/escape-html.ts';
import type { EmailLanguage, AccountEmailContent } from './account-email.ts';

// Colors of the web app (apps/web/src/theme.ts).
const ink = '#141a23';
const muted = '#5c646f';
const accent = '#006ec6';
const canvas = '#f1f4f7';
const hairline = '#e0e4ea';
/** Uses `!important`: otherwise style attributes override the style sheet. */
const darkStyle =
  '@media (prefers-color-scheme:dark){' +
  '.page{background:#12161d!important;color:#e5e8ec!important}.card{background:#242b34!important;border-color:#3d454f!important}' +
  '.ink{color:#e5e8ec!important}.muted{color:#9fa5ae!important}}';
/** Mail programs show the product's font if it is installed; none may load it. */
const font =
  'font-family:InterVariable,Inter,system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif';
const paragraphStyle = `margin:0 0 16px;font-size:16px;line-height:1.5;${font}`;

/**
 * Lays out the content as HTML and as text. All input is plain text and is escaped.
 *
 * Readable in every mail program: one column of a phone's width, styles in attributes since many programs drop style
 * sheets. Programs that keep style sheets show dark colors in dark mode; the others show dark text on a light page.
 * @param site  host of this installation, as shown to recipients
 */
export function layOutEmail(
  content: AccountEmailContent,
  language: EmailLanguage,
  site: string,
): { html: string; text: string } {
  return { html: writeHtml(content, language, site), text: writeText(content, site) };
}

function writeHtml(
  { sender, subject, paragraphs, button, code, notes }: AccountEmailContent,
  language: EmailLanguage,
  site: string,
) {
  const body = [
    ...paragraphs.map((text) => `<p style="${paragraphStyle}">${escapeHtml(text)}</p>`),
    ...(code === undefined ? [] : [writeCode(code)]),
    ...(button === undefined ? [] : [writeButton(button)]),
    ...notes.map(
      (text) =>
        `<p class="muted" style="margin:0 0 8px;font-size:14px;line-height:1.5;color:${muted};${font}">${escapeHtml(text)}</p>`,
    ),
  ];
  // Preview text, which message lists show after the subject; otherwise they would show the logo.
  const preview = `<div style="display:none;max-height:0;overflow:hidden" aria-hidden="true">${escapeHtml(paragraphs[0] ?? '')}</div>`;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${escapeHtml(subject)}</title>
<style>${darkStyle}</style>
</head>
<body class="page" style="margin:0;padding:0;background:${canvas};color:${ink}">
${preview}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td class="page" align="center" style="padding:24px 16px;background:${canvas}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:480px">
<tr><td align="left" style="padding:0 4px 16px">${sender === undefined ? mark : writeSender(sender)}</td></tr>
<tr><td class="card ink" align="left" style="padding:24px 24px 16px;border:1px solid ${hairline};border-radius:8px;background:#ffffff;color:${ink};overflow-wrap:anywhere">
${body.join('\n')}
</td></tr>
<tr><td class="muted" align="left" style="padding:16px 4px 0;font-size:12px;line-height:1.33;color:${muted};${font}">Reachout · ${escapeHtml(site)}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
}

/** Drawn with letters: most mail programs do not load images, and an image would reveal when the email is read. */
const mark = `<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td width="32" height="32" align="center" style="border-radius:8px;background:${accent};color:#ffffff;font-size:18px;line-height:32px;font-weight:800;${font}" aria-hidden="true">R</td><td class="ink" style="padding-left:10px;font-size:17px;line-height:24px;font-weight:650;color:${ink};${font}">Reachout</td></tr></table>`;

const writeSender = (name: string) =>
  `<p class="ink" style="margin:0;font-size:17px;line-height:24px;font-weight:650;color:${ink};${font}">${escapeHtml(name)}</p>`;

const writeCode = (code: string) =>
  `<p style="margin:0 0 24px;font-size:32px;line-height:1.25;font-weight:700;letter-spacing:6px;font-family:ui-monospace,Menlo,Consolas,monospace">${escapeHtml(code)}</p>`;

/** A link in every mail program; the text part of the email shows the URL, too. */
function writeButton({ label, url }: { label: string; url: string }): string {
  const href = escapeHtml(checkUrl(url));
  return `<p style="margin:8px 0 24px"><a href="${href}" style="display:inline-block;padding:12px 24px;border-radius:6px;background:${accent};color:#ffffff;font-size:16px;font-weight:600;text-decoration:none;${font}">${escapeHtml(label)}</a></p>`;
}

const writeText = ({ paragraphs, button, code, notes }: AccountEmailContent, site: string): string =>
  [
    ...paragraphs,
    ...(code === undefined ? [] : [`    ${code}`]),
    ...(button === undefined ? [] : [`${button.label}:\n${checkUrl(button.url)}`]),
    ...(notes.length === 0 ? [] : [notes.join('\n')]),
    `Reachout · ${site}`,
  ]
    .map((block) => `${block}\n`)
    .join('\n');

function checkUrl(url: string): string {
  if (/^https?:\/\/[\u0021-\u007e]+$/.test(url)) return url;
  throw new TypeError('A mail links to web addresses only.');
}
