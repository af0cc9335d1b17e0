import assert from 'node:assert/strict';
import test from 'node:test';
import type { BodyEncoder } from '../encoding/body-encoder.ts';
import { quotedPrintable } from '../encoding/quoted-printable.ts';
import { createTokenSigner } from '../links/tokens.ts';
import { createLiquidEngine } from '../liquid/liquid-engine.ts';
import { createTemplatePart } from '../liquid/template-part.ts';
import { emailSnapshot } from '../../testing/sent-email.ts';
import { BodyWriter } from './body-writer.ts';

/** For a provider that accepts unencoded text and HTML. */
const utf8: BodyEncoder = {
  write: (text, target, position) => position + target.write(text, position),
  softBreak: undefined,
};

const html = `<p>Grüße, {{ contact.first_name | default: 'du' }} & {{ contact.last_name | upcase }}</p>
{% if contact.vip %}<a href="{{ links.click_0 }}">für dich</a>{% else %}<a href="{{ links.click_1 }}">ü</a>{% endif %}
<a href="{{ links.unsubscribe }}">Abmelden</a>{{ links.pixel }}`;

const tokens = createTokenSigner(Buffer.alloc(32, 7)).sign({ sendNumber: 12, seq: 3 });

function writeBody(encoder: BodyEncoder, variables: Record<string, unknown>): string {
  const engine = createLiquidEngine('html', 500);
  const writer = new BodyWriter(emailSnapshot, 'https://reachout.example', engine, encoder);
  writer.start(tokens, 500);
  writer.writePart(engine, createTemplatePart(engine, html, encoder), { variables });
  return writer.target.finish().toString();
}

test('a body is identical in every encoding', () => {
  for (const variables of [{ first_name: 'Zoë', last_name: 'o’neil', vip: true }, { vip: false }]) {
    const written = writeBody(utf8, variables);
    const decoded = writeBody(quotedPrintable, variables)
      .replaceAll('=\r\n', '')
      .replaceAll('\r\n', '\n')
      .replaceAll(/(?:=[\dA-F]{2})+/g, (codes) => Buffer.from(codes.replaceAll('=', ''), 'hex').toString());
    assert.equal(written, decoded);
    assert.match(written, /^<p>Grüße, /);
    assert.ok(written.includes(`/t/c/${tokens.click}.${variables.vip ? 0 : 1}"`));
  }
});
