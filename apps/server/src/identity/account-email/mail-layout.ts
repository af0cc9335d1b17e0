import { escapeHtml } from '../../email/liquid/escape-html.ts';
import type { EmailLanguage, AccountEmailContent } from './account-email.ts';

const ink = '#1f2328';
const muted = '#57606a';
/** That of the product on screen. */
const accent = '#006ec6';
/** Style attributes win over a style sheet unless it insists. */
const darkStyle =
  '@media (prefers-color-scheme:dark){' +
  '.page{background:#16181c!important;color:#e6e8eb!important}.muted{color:#a3abb5!important}.link{color:#6cadf6!important}}';
const font = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif';
const paragraphStyle = `margin:0 0 16px;font-size:16px;line-height:1.5;${font}`;

/**
 * The same content as HTML and as text. Everything given is text, and stays text.
 *
 * Readable in every mail program: one column of a phone's width, styles in attributes since many programs drop style
 * sheets. Those that keep them get dark colors in the dark; the others show dark ink on a white page.
 */
export function layOutEmail(
  content: AccountEmailContent,
  language: EmailLanguage,
): { html: string; text: string } {
  return { html: writeHtml(content, language), text: writeText(content) };
}

function writeHtml(
  { subject, paragraphs, button, code, notes }: AccountEmailContent,
  language: EmailLanguage,
) {
  const body = [
    `<p class="link" style="margin:0 0 24px;font-size:18px;line-height:1.25;font-weight:700;color:${accent};${font}">Reachout</p>`,
    ...paragraphs.map((text) => `<p style="${paragraphStyle}">${escapeHtml(text)}</p>`),
    ...(code === undefined ? [] : [writeCode(code)]),
    ...(button === undefined ? [] : [writeButton(button)]),
    ...notes.map(
      (text) =>
        `<p class="muted" style="margin:0 0 8px;font-size:14px;line-height:1.5;color:${muted};${font}">${escapeHtml(text)}</p>`,
    ),
  ];
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
<body class="page" style="margin:0;padding:0;background:#ffffff;color:${ink}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="padding:24px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:480px"><tr><td class="page" align="left" style="color:${ink};overflow-wrap:anywhere">
${body.join('\n')}
</td></tr></table>
</td></tr></table>
</body>
</html>
`;
}

const writeCode = (code: string) =>
  `<p style="margin:0 0 24px;font-size:32px;line-height:1.25;font-weight:700;letter-spacing:6px;font-family:ui-monospace,Menlo,Consolas,monospace">${escapeHtml(code)}</p>`;

/** Below the button stands the address itself, for programs that show no buttons and people who look before they click. */
function writeButton({ label, url }: { label: string; url: string }): string {
  const href = escapeHtml(checkUrl(url));
  return `<p style="margin:8px 0 16px"><a href="${href}" style="display:inline-block;padding:12px 24px;border-radius:6px;background:${accent};color:#ffffff;font-size:16px;font-weight:600;text-decoration:none;${font}">${escapeHtml(label)}</a></p>
<p style="margin:0 0 24px;font-size:14px;line-height:1.5;${font}"><a class="link" href="${href}" style="color:${accent}">${href}</a></p>`;
}

function writeText({ paragraphs, button, code, notes }: AccountEmailContent): string {
  return [
    ...paragraphs,
    ...(code === undefined ? [] : [`    ${code}`]),
    ...(button === undefined ? [] : [`${button.label}:\n${checkUrl(button.url)}`]),
    ...(notes.length === 0 ? [] : [notes.join('\n')]),
  ]
    .map((block) => `${block}\n`)
    .join('\n');
}

function checkUrl(url: string): string {
  if (/^https?:\/\/[\u0021-\u007e]+$/.test(url)) return url;
  throw new TypeError('A mail links to web addresses only.');
}
