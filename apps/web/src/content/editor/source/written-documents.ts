const inBody = (body: string, head = ''): string =>
  `<mjml>\n  <mj-head>\n${head}\n  </mj-head>\n  <mj-body>\n${body}\n  </mj-body>\n</mjml>\n`;
const inColumn = (content: string, head = ''): string =>
  inBody(`    <mj-section>\n      <mj-column>\n${content}\n      </mj-column>\n    </mj-section>`, head);
const text = (words: string) => `        <mj-text>${words}</mj-text>`;
const section = (words: string) =>
  `    <mj-section><mj-column><mj-text>${words}</mj-text></mj-column></mj-section>`;

const plain = inColumn(
  [
    text('One'),
    '        <mj-image src="https://example.com/a.png" alt="A" />',
    '        <mj-button href="https://example.com/?a=1&amp;b=2">Go</mj-button>',
    '        <mj-divider border-width="1px"></mj-divider>',
    '        <mj-spacer height="20px"/>',
    text('Two'),
  ].join('\n'),
);

/** What people and programs write, for tests: odd, broken and hostile. */
export const writtenDocuments: Record<string, string> = {
  plain,
  'one line': plain.replaceAll(/\n\s*/g, ''),
  CRLF: plain.replaceAll('\n', '\r\n'),
  'mixed line ends': plain.replace('\n', '\r\n').replace('</mj-text>\n', '</mj-text>\r'),
  tabs: plain.replaceAll('  ', '\t'),
  'byte order mark': `\uFEFF${plain}`,
  'blanks at line ends': plain.replaceAll('\n', '  \t\n'),
  'blank lines': plain.replaceAll('\n', '\n\n\n'),
  'no line end': plain.trimEnd(),
  'text around': `before\n${plain}after`,
  'Liquid in attributes': inColumn(
    `        <mj-image src="{{ item.image | default: "https://example.com/x.png" }}" alt='{{ item.title | append: '<b>' }}' />
        <mj-button href="{% if item.url %}{{ item.url }}{% else %}https://example.com/{% endif %}" background-color={{brand.color}}>x</mj-button>
        <mj-text {% if item.big %}font-size="30px"{% endif %} color="red">x</mj-text>`,
  ),
  'Liquid with markup': inColumn(
    text('{{ "<mj-text>" | append: "</mj-text>" }} {% if contact.a < 3 and contact.b > "4" %}x{% endif %}'),
  ),
  'Liquid with delimiters in quotes': inColumn(text('{{ "}}" }} and {{ \'%}\' }}')),
  'raw Liquid': inColumn(
    `        {% raw %}\n${text('{{ not.a.tag }} {% if %}')}\n        {% endraw %}\n${text('{{ a.tag }}')}`,
  ),
  'Liquid comment': inColumn(
    `        {% comment %}\n${text('hidden {% if x %}')}\n        {% endcomment %}\n${text('shown')}`,
  ),
  'unclosed Liquid': inColumn(text('{{ contact.first_name')),
  'unclosed tag of Liquid': inColumn(text('{% if contact.first_name')),
  'Liquid in a name': inColumn('        <mj-{{ kind }}>x</mj-{{ kind }}>'),
  'condition around sections': inBody(
    `${section('a')}\n    {% if contact.vip %}\n${section('b')}\n    {% elsif contact.new %}\n${section('c')}\n    {% else %}\n${section('d')}\n    {% endif %}\n${section('e')}`,
  ),
  'condition on one line': inBody(
    `{% if contact.vip %}<mj-section><mj-column><mj-text>a</mj-text></mj-column></mj-section>{% endif %}`,
  ),
  'conditions in conditions': inColumn(
    `        {% if a %}\n        {% unless b %}\n${text('x')}\n        {% endunless %}\n        {% case c %}\n        {% when 1 %}\n${text('y')}\n        {% endcase %}\n        {% endif %}`,
  ),
  'loop around sections': inBody(
    `    {% for entry in item.entries %}\n${section('{{ entry.title }}')}\n    {% endfor %}`,
  ),
  'empty condition': inColumn('        {% if a %}\n        {% endif %}'),
  'condition across elements': inBody(
    `    {% if a %}\n    <mj-section>\n    <mj-column>\n    {% endif %}\n${text('x')}\n    </mj-column>\n    </mj-section>`,
  ),
  'else without if': inBody(`${section('a')}\n    {% else %}\n${section('b')}`),
  'output between elements': inBody(`${section('a')}\n    {{ brand.name }}\n${section('b')}`),
  'assignment between elements': inBody(`    {% assign x = "<mj-section>" %}\n${section('{{ x }}')}`),
  'mj-attributes': inColumn(
    text('x'),
    `    <mj-attributes>\n      <mj-all font-family="Georgia" />\n      <mj-class name="big" font-size="40px" />\n      <mj-text color="{{ brand.color }}"/>\n    </mj-attributes>`,
  ),
  'mj-style': inColumn(
    text('<span class="a">x</span>'),
    `    <mj-style>\n      .a > b { color: red } /* </mj-text> */\n      @media (max-width: 480px) { .a { color: blue } }\n    </mj-style>\n    <mj-style inline="inline">.a { font-weight: 700 }</mj-style>`,
  ),
  'whole head': inColumn(
    text('x'),
    `    <mj-title>T</mj-title>\n    <mj-preview>P</mj-preview>\n    <mj-font name="Inter" href="https://example.com/inter.css" />\n    <mj-breakpoint width="320px" />\n    <mj-html-attributes>\n      <mj-selector path=".a"><mj-html-attribute name="data-a">1</mj-html-attribute></mj-selector>\n    </mj-html-attributes>`,
  ),
  comments: inColumn(
    `        <!-- <mj-text>no</mj-text> {% if x %} -->\n${text('yes <!-- inside -->')}\n        <!-- {{ last }} -->`,
  ),
  'comment behind a block': inColumn(`${text('x')} <!-- why -->\n${text('y')}`),
  'unclosed text': inColumn(`        <mj-text>never closed\n        <mj-button href="x">Go</mj-button>`),
  'unclosed image': inColumn(`        <mj-image src="x">\n${text('lost')}`),
  'unclosed section': inBody('    <mj-section>\n      <mj-column>\n        <mj-text>x</mj-text>'),
  'unclosed document': '<mjml><mj-body><mj-section><mj-column><mj-text>x',
  'unclosed quote': inColumn('        <mj-text color="red>x</mj-text>'),
  'unclosed comment': inColumn(`${text('x')}\n        <!-- never closed`),
  'stray closing tags': inColumn(`        </mj-text>\n${text('x</p></b>')}\n        </mj-button>`),
  'crossed tags': inColumn('        <mj-text><b>x<i>y</b>z</i></mj-text>'),
  'self-closing everything': inBody(
    '    <mj-section />\n    <mj-section><mj-column/></mj-section>\n    <mj-wrapper/>',
  ),
  'mj-raw': inBody(
    `    <mj-raw><div><mj-text>no</mj-text></div></mj-raw>\n${section('x')}\n    <mj-section><mj-column><mj-raw>{% if a %}<p>{% endif %}</mj-raw></mj-column></mj-section>`,
  ),
  'upper case': plain.replaceAll(
    /<(\/?)([a-z-]+)/g,
    (_, slash: string, name: string) => `<${slash}${name.toUpperCase()}`,
  ),
  'upper case attributes': inColumn('        <mj-text COLOR="red" Color="blue">x</mj-text>'),
  'duplicate attributes': inColumn('        <mj-text color="red" color="blue" color>x</mj-text>'),
  'odd attributes': inColumn(
    `        <mj-button href = 'x' target=_blank  rel="" disabled =x / data-a="1">x</mj-button >\n        <mj-text =odd="1" color\n="red"\n>x</mj-text\n>`,
  ),
  entities: inColumn(
    '        <mj-text alt="&quot;&amp;&lt;&copy;&#39;">&copy; &nbsp; &amp;amp; &lt;b&gt;</mj-text>',
  ),
  CDATA: inColumn('        <mj-text><![CDATA[ <mj-text>{{ x }} ]]></mj-text>'),
  hostile: inColumn(
    `        <mj-text><script>alert(1)</script><img src=x onerror="alert(1)"><a href="javascript:alert(1)">x</a></mj-text>
        <mj-raw><iframe src="https://example.com/"></iframe><form action="/"><button>x</button></form><base href="https://example.com/"></mj-raw>
        <mj-button href="javascript:alert(1)" css-class='"><script>alert(1)</script>'>x</mj-button>
        <mj-table><tr><td onclick="alert(1)">x</td></tr></mj-table>`,
    '    <mj-style>body { background: url("https://example.com/x") } </style><script>alert(1)</script></mj-style>',
  ),
  'unknown elements': inBody(
    '    <mj-nothing a="1">\n      <mj-text>x</mj-text>\n    </mj-nothing>\n    <div>y</div>\n    <mj-section><mj-column><mj-chart>1,2</mj-chart></mj-column></mj-section>',
  ),
  'all blocks': inBody(`    <mj-wrapper background-color="#eeeeee">
      <mj-section>
        <mj-group>
          <mj-column width="50%"><mj-text>left</mj-text></mj-column>
          <mj-column width="50%"><mj-text>right</mj-text></mj-column>
        </mj-group>
      </mj-section>
    </mj-wrapper>
    <mj-hero mode="fluid-height" background-color="#123456">
      <mj-text>hero</mj-text>
      <mj-button href="https://example.com/">x</mj-button>
    </mj-hero>
    <mj-section>
      <mj-column>
        <mj-social><mj-social-element name="facebook" href="https://example.com/">F</mj-social-element></mj-social>
        <mj-table><tr><td>1</td></tr></mj-table>
        <mj-accordion><mj-accordion-element><mj-accordion-title>T</mj-accordion-title><mj-accordion-text>X</mj-accordion-text></mj-accordion-element></mj-accordion>
        <mj-navbar><mj-navbar-link href="https://example.com/">N</mj-navbar-link></mj-navbar>
      </mj-column>
      <mj-column><mj-carousel><mj-carousel-image src="https://example.com/a.png" /></mj-carousel></mj-column>
    </mj-section>`),
  'several bodies': `<mjml><mj-body>${section('a')}</mj-body><mj-body>${section('b')}</mj-body></mjml>`,
  'no body': '<mjml><mj-head></mj-head></mjml>',
  'no MJML': 'This is no MJML at all, {{ contact.first_name }}.',
  HTML: '<!doctype html><html><body><p>x</p></body></html>',
  empty: '',
  blank: ' \r\n\t\n',
  'other letters': inColumn(text('Größe 👩‍👩‍👧 שלום \u2028 \u0000 {{ contact.größe }}')),
  'deep nesting': inColumn(text('<div>'.repeat(50) + 'x' + '</div>'.repeat(50))),
};
