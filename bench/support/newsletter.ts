import type { EmailContent } from '../../apps/server/src/email/email-content.ts';

const blurbs = [
  'Warm, light and made to last: tested for two winters between Flensburg and the Alps.',
  'New in four colors. The first hundred orders come with a pair of wool socks.',
  'Back in stock after many of you asked; sizes 36 to 48, half sizes included.',
  'Für Tage, an denen das Wetter nicht weiß, was es will.',
];

/** A shop's newsletter: about 10 kB of HTML, 1 kB of text, 40 links, a greeting by name, a conditional part. */
export const newsletter: EmailContent = {
  subject: '{{ contact.first_name | default: "Hello" }}, our offers of the week',
  preheader: 'Twelve things for colder days',
  from_name: 'Nordwind',
  from_email: 'news@nordwind.example',
  reply_to: null,
  mjml: `<mjml><mj-body><mj-raw>
<h1>Hello {{ contact.first_name | default: "there" }} {{ contact.last_name }},</h1>
{% if contact.vip %}<p>As a regular customer you get free shipping until Sunday.</p>{% endif %}
<table role="presentation" width="600">${Array.from({ length: 19 }, (_, index) => product(index + 1)).join('\n')}</table>
<p><a href="https://shop.example/imprint">Imprint</a> <a href="https://shop.example/privacy">Privacy</a>
<a href="{{ links.unsubscribe }}">Unsubscribe</a></p>
</mj-raw></mj-body></mjml>`,
};

function product(number: number): string {
  const address = `https://shop.example/products/${number}?utm_campaign=week-47`;
  return `<tr><td><a href="${address}&amp;place=title"><b>Product ${number}</b></a>
<p style="font-family:Arial,Helvetica,sans-serif;font-size:14px;line-height:20px;color:#333333">${blurbs[number % blurbs.length]!}</p><a href="${address}&amp;place=button">Have a look</a></td></tr>`;
}
