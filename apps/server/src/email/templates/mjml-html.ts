import { Tokenizer } from 'htmlparser2';
import mjml2html from 'mjml';
import type { CompileProblem } from '../email-content.ts';
import { type ProtectedText, protectLiquid } from '../liquid/protect-liquid.ts';

/**
 * Compiles MJML with Liquid to HTML with Liquid. Liquid tags are allowed between MJML elements; inside texts and
 * attributes, all Liquid is allowed. Includes are ignored.
 * @param replacesPreview drops an `mj-preview`, because the preheader replaces it
 * @throws Error if the source is not MJML at all
 */
export async function compileMjml(
  source: string,
  replacesPreview: boolean,
): Promise<{ html: string; problems: CompileProblem[] }> {
  const protectedSource = protectLiquid(source);
  const withRaw = wrapLooseTags(protectedSource);
  const mjml = replacesPreview ? withRaw.replaceAll(/<mj-preview\b[^]*?<\/mj-preview>/g, '') : withRaw;
  const { html, errors } = await mjml2html(mjml, {
    ignoreIncludes: true,
    useMjmlConfigOptions: false,
    keepComments: false,
    minify: false,
    beautify: false,
    validationLevel: 'soft',
    // MJML loads Google's fonts by default, which reveals to a third party who reads the email.
    fonts: {},
  });
  const problems = errors
    // An attribute that Liquid fills in may be valid.
    .filter(
      ({ message }) =>
        !protectedSource.sources.some((_, index) => message.includes(wordOf(protectedSource, index))),
    )
    .map(({ message, line }) => ({
      code: 'mjml_invalid' as const,
      severity: 'warning' as const,
      field: 'mjml' as const,
      message,
      ...(line > 0 ? { line } : {}),
    }));
  return { html: protectedSource.restore(collapseBlanks(html)), problems };
}

/** Collapses MJML's indentation: each space of a run would be encoded as three bytes. Browsers render it the same. */
function collapseBlanks(html: string): string {
  if (/<pre\b|<textarea\b|white-space:\s*(?:pre|break-spaces)/i.test(html)) return html;
  return html.replaceAll(/[ \t]*\n[ \t\n]*/g, '\n').replaceAll(/[ \t]{2,}/g, ' ');
}

function wordOf({ pattern }: ProtectedText, index: number): string {
  return pattern.source.replace(String.raw`(\d+)`, String(index));
}

/** Elements that accept only elements: MJML drops any text between those, unless it is inside `mj-raw`. */
const containers = new Set([
  'mj-body',
  'mj-wrapper',
  'mj-section',
  'mj-group',
  'mj-column',
  'mj-hero',
  'mj-navbar',
  'mj-social',
]);

function wrapLooseTags({ text, sources, pattern }: ProtectedText): string {
  const open: string[] = [];
  let wrapped = '';
  let at = 0;
  const ignore = () => undefined;
  const tokenizer = new Tokenizer(
    { xmlMode: true, decodeEntities: false },
    {
      onopentagname: (start, end) => open.push(text.slice(start, end)),
      onselfclosingtag: () => open.pop(),
      onclosetag: () => open.pop(),
      ontext: (start, end) => {
        if (!containers.has(open.at(-1) ?? '')) return;
        wrapped += text.slice(at, start);
        wrapped += text
          .slice(start, end)
          .replaceAll(pattern, (word, index: string) =>
            sources[Number(index)]!.startsWith('{%') ? `<mj-raw>${word}</mj-raw>` : word,
          );
        at = end;
      },
      onattribdata: ignore,
      onattribentity: ignore,
      onattribend: ignore,
      onattribname: ignore,
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onopentagend: ignore,
      onprocessinginstruction: ignore,
      ontextentity: ignore,
    },
  );
  tokenizer.write(text);
  tokenizer.end();
  return wrapped + text.slice(at);
}
