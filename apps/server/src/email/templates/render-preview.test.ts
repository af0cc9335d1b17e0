import assert from 'node:assert/strict';
import test from 'node:test';
import type { EmailContent } from '../email-content.ts';
import { measureTemplateCpu } from '../../testing/template-processes.ts';
import { renderPreview } from './render-preview.ts';

const content: EmailContent = {
  subject: 'Hi {{ contact.first_name }}',
  preheader: 'For {{ contact.city }}',
  from_name: 'Brand',
  from_email: 'news@brand.example',
  reply_to: null,
  mjml: `<mjml><mj-body><mj-section><mj-column>
<mj-text>Hello {{ contact.first_name }} {{ contact.last_name | default: "friend" }}</mj-text>
<mj-text>{{ contact.nothing }} {{ brand.nothing }} {% if contact.never %}{{ contact.never }}{% endif %}</mj-text>
<mj-text><a href="https://shop.example/?a=1&amp;c={{ contact.id }}">shop</a> <a href="{{ contact.url }}">own</a>
<a href="{{ links.unsubscribe }}">out</a> <a href="{{ links.preferences }}">choose</a></mj-text>
</mj-column></mj-section></mj-body></mjml>`,
};
const contact = { first_name: '<Ada>', id: 7, url: 'javascript:alert(1)', city: '' };

test('a preview shows the message of one contact', async () => {
  const preview = await renderPreview(content, { brand: { name: 'B' } }, contact, 'tests');
  assert.equal(preview.subject, 'Hi <Ada>');
  assert.equal(preview.preheader, 'For ');
  assert.ok(preview.html.includes('Hello &lt;Ada&gt; friend'));
  assert.ok(preview.text.includes('Hello <Ada> friend'));
});

test('links of a preview are inert', async () => {
  const { html } = await renderPreview(content, {}, contact, 'tests');
  const targets = [...html.matchAll(/href="([^"]*)"/g)].map(([, target]) => target);
  assert.deepEqual(targets, [
    'https://shop.example/?a=1&amp;c=7',
    '#',
    'about:blank#unsubscribe',
    'about:blank#preferences',
  ]);
  assert.doesNotMatch(html, /<img|\/t\//);
});

test('printed and read variables name field and line', async () => {
  const { tags } = await renderPreview(content, { brand: {} }, contact, 'tests');
  assert.deepEqual(
    tags.printed.map(({ variable, place }) => [variable, place.field, place.line]),
    [
      ['contact.first_name', 'subject', 1],
      ['contact.city', 'preheader', 1],
      ['contact.last_name', 'mjml', 2],
      ['contact.nothing', 'mjml', 3],
      ['brand.nothing', 'mjml', 3],
      ['contact.never', 'mjml', 3],
      ['contact.id', 'mjml', 4],
      ['contact.url', 'mjml', 4],
    ],
  );
  assert.deepEqual(
    tags.fields.map(({ name, place }) => [name, place.field, place.line]),
    [
      ['city', 'preheader', 1],
      ['first_name', 'subject', 1],
      ['id', 'mjml', 4],
      ['last_name', 'mjml', 2],
      ['never', 'mjml', 3],
      ['nothing', 'mjml', 3],
      ['url', 'mjml', 4],
    ],
  );
});

test('an email that cannot be sent can be previewed', async () => {
  const mjml =
    '<mjml><mj-body><mj-section><mj-column><mj-text>Hello</mj-text></mj-column></mj-section></mj-body></mjml>';
  const { html, warnings } = await renderPreview({ ...content, mjml }, {}, contact, 'tests');
  assert.ok(html.includes('Hello'));
  assert.ok(warnings.some(({ code }) => code === 'unsubscribe_link_missing'));
  const broken = await renderPreview({ ...content, mjml: '{{' }, {}, contact, 'tests');
  assert.equal(broken.html, '');
  assert.partialDeepStrictEqual(broken.warnings, [{ code: 'liquid_invalid', severity: 'error' }]);
});

test('a bomb in a contact ends its preview (TPL-2)', async () => {
  const mjml = content.mjml.replace(
    'Hello',
    '{% for i in (1..contact.id) %}{% for j in (1..contact.id) %}x{% endfor %}{% endfor %}',
  );
  const usedMs = await measureTemplateCpu(async () => {
    const { warnings } = await renderPreview({ ...content, mjml }, {}, { id: 99_999_999 }, 'tests');
    assert.ok(warnings.some(({ severity }) => severity === 'error'));
  });
  assert.ok(usedMs < 4_000, `${usedMs} ms`);
});
