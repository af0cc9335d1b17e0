import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Editor, type JSONContent } from '@tiptap/core';
import { Selection, TextSelection } from '@tiptap/pm/state';
import { DomUtils, ElementType, parseDocument } from 'htmlparser2';
import { previewEmail } from '../../../../../server/src/email/templates/preview-email.ts';
import { createRandom } from '../../../../../server/src/platform/random.ts';
import { insertCopied, selectText, splitText, toDocument } from './edit-text.ts';
import { textExtensions } from './extensions.ts';
import { writeAtRandom, type Hand } from './random-writing.ts';
import { ownStyle, writeText, type Written } from './rich-text.ts';

const sender = { from_name: 'Nordwind', from_email: 'news@nordwind.example', reply_to: null };

/** Without a page, and with the plugins that a page would add. */
function edit(content: string): Editor {
  const extensions = textExtensions({ values: {}, nameOf: (code) => code }, false, {});
  const editor = new Editor({ element: null, content: toDocument(content, false), extensions });
  editor.view.updateState(editor.state.reconfigure({ plugins: editor.extensionManager.plugins }));
  return editor;
}

const paste = (editor: Editor, html: string): void =>
  insertCopied(editor, { getData: (type) => (type === 'text/html' ? html : 'plain words') }, false);

const written = (editor: Editor): string => writeText(editor.getJSON());

/** What other programs put into the clipboard, and what is stored of it. */
const copies: Record<string, { html: string; stored: string }> = {
  'Google Docs': {
    html: `<meta charset='utf-8'><meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-8f"><h2 dir="ltr" style="line-height:1.38;margin-top:18pt;"><span style="font-size:16pt;font-weight:400;white-space:pre-wrap;">Harbor</span></h2><p dir="ltr" style="line-height:1.38;"><span style="font-size:11pt;font-weight:400;white-space:pre-wrap;">We </span><span style="font-weight:700;white-space:pre-wrap;">moved</span><span style="font-weight:400;font-style:italic;white-space:pre-wrap;"> at  last</span><span style="font-weight:400;white-space:pre-wrap;"> to </span><a href="https://harbor.example/?a=1&amp;b=2" style="text-decoration:none;"><span style="color:#1155cc;text-decoration:underline;white-space:pre-wrap;">the pier</span></a></p><br /><ul style="margin-top:0;padding-inline-start:48px;"><li dir="ltr" style="list-style-type:disc;" aria-level="1"><p dir="ltr" role="presentation"><span style="white-space:pre-wrap;">Boats</span></p></li><ul><li aria-level="2"><p role="presentation"><span>Small</span></p></li></ul></ul></b><br class="Apple-interchange-newline">`,
    stored:
      '<h2>Harbor</h2>We <strong>moved</strong><em> at&nbsp; last</em> to <a href="https://harbor.example/?a=1&b=2">the pier</a><ul><li>Boats<ul><li>Small</li></ul></li></ul>',
  },
  'Google Sheets': {
    html: `<google-sheets-html-origin><style type="text/css"><!--td {border: 1px solid #cccccc;}br {mso-data-placement:same-cell;}--></style><table xmlns="http://www.w3.org/1999/xhtml" cellspacing="0" dir="ltr" border="1" data-sheets-root="1"><colgroup><col width="100"/><col width="100"/></colgroup><tbody><tr style="height:21px;"><td style="font-weight:bold;">Boat</td><td style="font-weight:bold;">Price</td></tr><tr style="height:21px;"><td>Anna</td><td data-sheets-value="{&quot;1&quot;:3,&quot;3&quot;:49.9}">49.90</td></tr></tbody></table>`,
    stored: '<strong>Boat</strong> <strong>Price</strong><br />Anna 49.90',
  },
  Word: {
    html: `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word"><head><meta name=Generator content="Microsoft Word 15"><!--[if gte mso 9]><xml><w:WordDocument></w:WordDocument></xml><![endif]--><style><!-- p.MsoNormal {margin:0cm; font-size:12.0pt;} @list l0:level1 {mso-level-number-format:bullet;} --></style></head><body lang=EN-US><!--StartFragment--><p class=MsoNormal>Dear <b>all</b>,<o:p></o:p></p>\n<p class=MsoNormal><o:p>&nbsp;</o:p></p>\n<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>One<o:p></o:p></p>\n<p class=MsoListParagraphCxSpMiddle style='mso-list:l0 level2 lfo1'><!--[if !supportLists]--><span style='mso-list:Ignore'>o<span>&nbsp;&nbsp; </span></span><!--[endif]-->Two<o:p></o:p></p>\n<p class=MsoListParagraphCxSpLast style='mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>1.<span>&nbsp;&nbsp; </span></span><i>Three</i><o:p></o:p></p><!--EndFragment--></body></html>`,
    stored: 'Dear <b>all</b>,<ul><li>One<ul><li>Two</li></ul></li></ul><ol><li><i>Three</i></li></ol>',
  },
  Gmail: {
    html: `<meta charset='utf-8'><div dir="ltr">Hello <b>you</b>,<div><br></div><div>see <a href="https://harbor.example/" target="_blank" data-saferedirecturl="https://www.google.com/url?q=x">this</a> <img alt="⛵" class="an1" src="https://fonts.gstatic.com/x.png"></div><div>soon</div></div>`,
    stored:
      '<p style="margin:0 0 16px">Hello <b>you</b>,</p><p style="margin:0">see <a href="https://harbor.example/">this</a> ⛵<br />soon</p>',
  },
  'a website': {
    html: `<meta charset='utf-8'><article style="color: rgb(0, 0, 0); font-weight: 400; white-space: normal;"><header><h1 style="font-weight: 700;">News</h1></header><section><p style="font-weight: 400;">CO<sub>2</sub>: <a href="/local">less</a> <strong style="font-weight: 700;"><em>now</em></strong></p><figure><img src="https://harbor.example/x.jpg" alt="Harbor at night"><figcaption>At night</figcaption></figure><blockquote><p>Great</p></blockquote><svg><text>x</text></svg><ol><li>a</li><li>b</li></ol></section></article>`,
    stored:
      '<h1>News</h1><p style="margin:0 0 16px">CO<sub>2</sub>: less <strong><em>now</em></strong></p><p style="margin:0 0 16px">At night</p><blockquote>Great</blockquote><ol><li>a</li><li>b</li></ol>',
  },
};

test('of texts from other programs, what an email can have replaces a text', () => {
  for (const [name, { html, stored }] of Object.entries(copies)) {
    const editor = edit(name);
    selectText(editor);
    paste(editor, html);
    assert.equal(written(editor), stored, name);
  }
});

/** At the end of a text. */
const handOf = (editor: Editor): Hand => ({
  type: (text) => editor.view.dispatch(editor.state.tr.insertText(text)),
  press: (key) =>
    key === 'Enter'
      ? splitText(editor) || editor.commands.splitBlock()
      : editor.commands.insertContent({ type: 'lineBreak' }),
  mark: (mark) => {
    const { doc, selection, tr } = editor.state;
    const [from, to] = [doc.resolve(Math.max(0, selection.to - 3)), selection.$to];
    editor.view.dispatch(tr.setSelection(TextSelection.between(from, to)));
    editor.commands.toggleMark(mark);
    editor.commands.setTextSelection(selection.to);
  },
  paste: (html) => paste(editor, html),
});

/** A letter or blank, with its bold, italic and underlined look. */
type Letter = [letter: string, look: string];

const lookOf = (marks: readonly string[]): string =>
  ['bold', 'italic', 'underline'].filter((mark) => marks.includes(mark)).join();

/** @returns a line with the elements it stands in, and its letters with each change of their look; blanks at its end show nothing */
function toLine(place: readonly string[], letters: readonly Letter[]): string {
  let line = '';
  let before = '';
  for (const [letter, look] of letters) {
    const isBlank = /[ \u00a0]/.test(letter);
    if (!isBlank && look !== before) line += `<${(before = look)}>`;
    line += isBlank ? ' ' : letter;
  }
  return `${place.join(' ')}: ${line.trimEnd()}`;
}

/** @returns the lines that an editor shows */
const linesOf = (nodes: readonly JSONContent[], place: readonly string[] = []): string[] =>
  nodes.flatMap((node, index) => {
    const { type, attrs = {}, content = [] } = node;
    if (type === 'list') return linesOf(content, [...place, attrs['isOrdered'] === true ? 'ol' : 'ul']);
    if (type === 'listItem') return linesOf(content, [...place, `li ${index}`]);
    assert.equal(type, 'paragraph');
    const style = attrs['isBare'] === true ? ownStyle(nodes, index) : (attrs['written'] as Written)['style'];
    const lines: Letter[][] = [[]];
    for (const { type: kind, text = '', attrs: own, marks: all = [] } of content) {
      const look = lookOf(all.map((mark) => mark.type));
      const shown = kind !== 'liquid' ? text : String(own?.['code']).startsWith('{%') ? '' : 'Ada';
      if (kind === 'lineBreak') lines.push([]);
      for (const letter of shown) lines.at(-1)!.push([letter, look]);
    }
    return lines.map((line) => toLine(style === undefined ? place : [...place, style], line));
  });

type Nodes = ReturnType<typeof parseDocument>['children'];

const markOf: Record<string, string> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
};

/** @returns the lines that a browser shows of the content of an element */
function linesIn(content: Nodes): string[] {
  const lines: string[] = [];
  let line: Letter[] = [];
  const end = (place: readonly string[], isBreak: boolean) => {
    if (line.at(-1)?.[0] === ' ') line.pop();
    // A line break at the end of a block shows nothing.
    if (line.length > 0 || isBreak) lines.push(toLine(place, line));
    line = [];
  };
  const read = (nodes: Nodes, place: readonly string[], marks: readonly string[]): void => {
    for (const [index, node] of nodes.entries()) {
      if (node.type === ElementType.Text)
        for (const letter of node.data.replaceAll(/[ \t\r\n]+/g, ' '))
          if (letter !== ' ' || ![undefined, ' '].includes(line.at(-1)?.[0]))
            line.push([letter, lookOf(marks)]);
      if (node.type !== ElementType.Tag) continue;
      const { name, attribs, children } = node;
      const mark = markOf[name];
      if (name === 'br') end(place, true);
      else if (mark !== undefined) read(children, place, [...marks, mark]);
      else {
        end(place, false);
        const own = [...place, name === 'p' ? attribs['style']! : name === 'li' ? `li ${index}` : name];
        read(children, own, marks);
        end(own, false);
      }
    }
  };
  read(content, [], []);
  end([], false);
  return lines;
}

test('a message has the lines that its editor shows', async () => {
  const texts: { stored: string; lines: string[] }[] = [];
  for (let text = 0; text < 60; text += 1) {
    let stored = 'Text';
    for (const [again, round] of ['first', 'second', 'third'].entries()) {
      const editor = edit(stored);
      const hand = handOf(editor);
      if (again === 0) selectText(editor);
      else {
        // What was written before is continued.
        editor.view.dispatch(editor.state.tr.setSelection(Selection.atEnd(editor.state.doc)));
        hand.press('Enter');
      }
      hand.type(`${round}${text}`);
      await writeAtRandom(hand, createRandom(text * 3 + again));
      stored = written(editor);
      texts.push({ stored, lines: linesOf(editor.getJSON().content ?? []) });
    }
  }
  const mjml = `<mjml><mj-body><mj-section><mj-column>${texts
    .map(({ stored }) => `<mj-text css-class="text">${stored}</mj-text>`)
    .join('')}</mj-column></mj-section></mj-body></mjml>`;
  const content = { ...sender, subject: 'News', preheader: '', mjml };
  const { html } = await previewEmail(content, {}, { first_name: 'Ada' });
  const shown = DomUtils.getElementsByClassName('text', parseDocument(html)).map(
    (cell) => DomUtils.getElementsByTagName('div', cell.children, false)[0]!.children,
  );
  assert.equal(shown.length, texts.length);
  for (const [index, { stored, lines }] of texts.entries())
    assert.deepEqual(linesIn(shown[index]!), lines, stored);
});
