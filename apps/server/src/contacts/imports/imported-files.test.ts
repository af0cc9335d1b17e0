import assert from 'node:assert/strict';
import { afterEach, before, suite, test } from 'node:test';
import type { ContentImport } from '@reachout/contract/content-imports.ts';
import type { Item } from '@reachout/contract/content.ts';
import type { FileEncoding } from '@reachout/contract/rules/file-encoding.ts';
import { sql } from 'kysely';
import { useTestApp } from '../../testing/app.ts';
import { createRandom, type Random } from '../../platform/random.ts';
import { runJobs } from '../../testing/job-worker.ts';
import { useWorld } from '../../testing/world.ts';
import { handleImports } from './import-jobs.ts';

type Settings = Record<string, unknown>;

function encode(text: string, encoding: FileEncoding, hasMark: boolean): Buffer<ArrayBuffer> {
  if (encoding === 'windows-1252') return Buffer.from(text, 'latin1');
  const marked = hasMark ? `\u{feff}${text}` : text;
  if (encoding === 'utf-8') return Buffer.from(marked);
  const bytes = Buffer.from(marked, 'utf16le');
  return encoding === 'utf-16le' ? bytes : bytes.swap16();
}

suite('imported files', () => {
  const app = useTestApp();
  const { owner, base } = useWorld(app);

  before(async () => {
    const fields = {
      note: 'text',
      visits: 'integer',
      height: 'float',
      price: 'decimal',
      seen: 'timestamp',
      extra: 'json',
    };
    for (const [field, type] of Object.entries(fields)) {
      await owner.ok('POST', `${base}/fields/contacts`, { field, type });
    }
  });
  afterEach(async () => {
    for (const table of [
      'content_items',
      'content_unique_values',
      'content_import_rejections',
      'content_imports',
      'jobs',
    ])
      await sql`delete from ${sql.table(table)}`.execute(app.owner);
  });

  const upload = async (content: string | Buffer<ArrayBuffer>, settings: Settings = {}): Promise<string> => {
    const form = new FormData();
    form.set('collection', 'contacts');
    for (const [name, value] of Object.entries(settings))
      form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
    form.set('file', new Blob([content]), 'people.csv');
    return (await owner.ok<ContentImport>('POST', `${base}/imports`, form)).id;
  };
  const work = () => runJobs(app, app.owner, [handleImports(app.services)]);
  const find = async (id: string) => await owner.ok<ContentImport>('GET', `${base}/imports/${id}`);
  const run = async (content: string | Buffer<ArrayBuffer>, settings: Settings = {}) => {
    const id = await upload(content, settings);
    await work();
    return await find(id);
  };
  const download = async (path: string) =>
    (await app.app.inject({ method: 'GET', url: `${base}/${path}`, headers: owner.headers })).rawPayload;
  type Contact = { email: string } & Record<string, Item[string]>;
  const items = async () => {
    const people = JSON.parse((await download('exports/contacts?format=json')).toString()) as Contact[];
    return people.toSorted((one, other) => (one.email < other.email ? -1 : 1));
  };
  /** New, updated, unchanged, merged and rejected rows, which are all rows of the file. */
  const countsOf = (entry: ContentImport) => {
    const counts = [
      entry.created_count,
      entry.updated_count,
      entry.unchanged_count,
      entry.merged_count,
      entry.rejected_count,
    ];
    assert.deepEqual(
      [entry.status, entry.rows_done],
      ['completed', counts.reduce((sum, count) => sum + count)],
    );
    return counts;
  };
  const mapping = { email: 'email', name: 'first_name', town: 'city' };
  const head = 'email,name,town';

  interface Case {
    what: string;
    content: string;
    encoding?: FileEncoding;
    hasMark?: boolean;
    /** New, updated, unchanged, merged, rejected. */
    counts: number[];
    /** Lines and fields of the values that are left out, and the reason. */
    leftOut?: [line: number, field: string, code: string][];
    rejected?: [line: number, code: string][];
    names?: unknown[];
  }
  const cases: Case[] = [
    {
      what: 'a quote that is opened in two rows (I1)',
      content: [
        head,
        'a@x.example,Al,"Box 24',
        'b@x.example,Ben,Y',
        'c@x.example,Cleo,"Box 12',
        'd@x.example,Dan,Z',
      ].join('\n'),
      counts: [4, 0, 0, 0, 0],
      leftOut: [
        [2, 'city', 'quote_not_closed'],
        [4, 'city', 'quote_not_closed'],
      ],
    },
    {
      what: 'a quote that is closed rows later, where no cell ends',
      content: `${head}\r\na@x.example,"Al,Box 24\r\nb@x.example,Ben,Y\r\nc@x.example,Cleo,Z"\r\n`,
      counts: [3, 0, 0, 0, 0],
      leftOut: [[2, 'first_name', 'quote_not_closed']],
    },
    {
      what: 'quotes that leave the cells of a row open',
      content: `${head}\na@x.example,"Smith, J" Jr.\n"b@x.example,Ben,Y\n`,
      counts: [0, 0, 0, 0, 2],
      rejected: [
        [2, 'misquoted'],
        [3, 'quote_not_closed'],
      ],
    },
    {
      what: 'a comma at the end of each row, or no empty cells at the end (I3)',
      content: `${head}\na@x.example,Al,Bonn,\nb@x.example,Ben\nc@x.example\nd@x.example,Dan,,,,\n,Eva\nf@x.example,Fay,Rom,,x\n`,
      counts: [4, 0, 0, 0, 2],
      rejected: [
        [6, 'required'],
        [7, 'cell_count'],
      ],
      names: ['Al', 'Ben', null, 'Dan'],
    },
    {
      what: 'a line that names the separator (I4)',
      content: '\u{feff}sep=;\r\nemail;name;town\r\na@x.example;"A, l";\r\n;x;\r\n',
      counts: [1, 0, 0, 0, 1],
      rejected: [[4, 'required']],
      names: ['A, l'],
    },
    {
      what: 'a separator that no wizard knows, and line ends of old computers',
      content: '"sep=^"\remail^name^town\ra@x.example^Al^Bonn\r',
      counts: [1, 0, 0, 0, 0],
      names: ['Al'],
    },
    ...(['utf-16le', 'utf-16be'] as const).flatMap((encoding) =>
      [true, false].map((hasMark) => ({
        what: `${encoding} ${hasMark ? 'with' : 'without'} a byte order mark (I5)`,
        content: `${head}\r\na@x.example,Zoë 😀,Łódź\r\nb@x.example,,\r\n`,
        encoding,
        hasMark,
        counts: [2, 0, 0, 0, 0],
        names: ['Zoë 😀', null],
      })),
    ),
    {
      what: 'formulas that an export has marked, and apostrophes of its texts (I6)',
      content: `${head}\na@x.example,"'+49 30",x\nb@x.example,''=1,x\nc@x.example,'tis,x\n`,
      counts: [3, 0, 0, 0, 0],
      names: ['+49 30', "'=1", "'tis"],
    },
  ];
  test('rows are counted for any quotes, separators and encodings', async () => {
    const ids: string[] = [];
    for (const [index, { content, encoding = 'utf-8', hasMark = false }] of cases.entries()) {
      // Each file has its own people.
      const own = content.replaceAll('@x.example', `@x${index}.example`);
      ids.push(await upload(encode(own, encoding, hasMark), { mapping }));
    }
    await work();
    const stored = await items();
    for (const [index, { what, counts, leftOut = [], rejected = [], names }] of cases.entries()) {
      const entry = await find(ids[index]!);
      assert.deepEqual(countsOf(entry), counts, what);
      assert.deepEqual(
        entry.left_out.map(({ line, field, error }) => [line, field, error.code]),
        leftOut,
        what,
      );
      assert.equal(entry.left_out_count, leftOut.length);
      assert.deepEqual(
        entry.rejected.map(({ line, error }) => [line, error.code]),
        rejected,
        what,
      );
      if (names === undefined) continue;
      const own = stored.filter(({ email }) => email.endsWith(`@x${index}.example`));
      assert.deepEqual(
        own.map(({ first_name }) => first_name),
        names,
        what,
      );
    }
  });

  test('invalid optional values keep their contact and are reported (I7)', async () => {
    const file =
      'Mail;Alter;VIP;Ort\na@x.example;01067;ja;Köln\nb@x.example;many;vielleicht;Rom\nnobody;1;ja;Bonn\n';
    const settings = {
      mapping: { Mail: 'email', Alter: 'visits', VIP: 'vip', Ort: 'city' },
      separator: ';',
      encoding: 'windows-1252',
    };
    const content = Buffer.from(file, 'latin1');
    const entry = await run(content, settings);
    assert.deepEqual(countsOf(entry), [2, 0, 0, 0, 1]);
    assert.deepEqual(
      entry.left_out.map(({ line, field, error, reason }) => [line, field, error.code, reason.slice(0, 16)]),
      [
        // A number that would be another one (I2).
        [2, 'visits', 'not_kept_as_number', 'As a number, thi'],
        [3, 'visits', 'not_whole', 'Use a whole numb'],
        [3, 'vip', 'not_a_word', 'Use one of these'],
      ],
    );
    assert.equal(entry.left_out_count, 3);
    assert.deepEqual(
      (await items()).map(({ visits, vip, city }) => [visits, vip, city]),
      [
        [null, true, 'Köln'],
        [null, false, 'Rom'],
      ],
    );
    const given = await download(`imports/${entry.id}/rejected?kind=left_out&language=de`);
    const [heading, first, second, end] = new TextDecoder('windows-1252').decode(given).split('\r\n');
    assert.equal(heading, 'Mail;Alter;VIP;Ort;Zeile;Spalte;Grund');
    assert.match(first ?? '', /^a@x\.example;01067;ja;Köln;2;Alter;Als Zahl würde daraus 1067\./);
    assert.match(second ?? '', /^b@x\.example;many;vielleicht;Rom;3;Alter \/ VIP;.* \/ Verwenden Sie eines/);
    assert.equal(end, '');
    const rejected = new TextDecoder('windows-1252').decode(await download(`imports/${entry.id}/rejected`));
    assert.match(rejected, /^.*\r\nnobody;1;ja;Bonn;4;Mail;[^\n]*\r\n$/);

    const strict = await run(content, { ...settings, reject_fields: ['vip'] });
    assert.deepEqual(countsOf(strict), [0, 0, 1, 0, 2]);
    assert.deepEqual(
      strict.left_out.map(({ line, field }) => [line, field]),
      [[2, 'visits']],
    );
    const form = new FormData();
    form.set('collection', 'contacts');
    form.set('mapping', '{"Mail":"email"}');
    form.set('reject_fields', '["city"]');
    form.set('file', new Blob([content]), 'people.csv');
    const refused = await owner.request('POST', `${base}/imports`, form);
    assert.deepEqual([refused.status, refused.body.errors?.[0]?.path], [422, 'reject_fields']);
  });

  test('numbers are imported only without loss (I2)', async () => {
    const values = ['7', '-7', '7.0', '007', '+7', '-0', '1e3', '1,5', '9007199254740993', '2147483648'];
    const rows = values.map((value, index) => `p${index}@x.example;${value};${value};${value}\n`);
    const entry = await run(`email;v;h;p\n${rows.join('')}`, {
      mapping: { email: 'email', v: 'visits', h: 'height', p: 'price' },
      separator: ';',
    });
    assert.deepEqual(countsOf(entry), [10, 0, 0, 0, 0]);
    assert.deepEqual(
      (await items()).map(({ visits, height, price }) => [visits, height, price]),
      [
        [7, 7, '7'],
        [-7, -7, '-7'],
        [7, 7, '7.0'],
        [null, null, '007'],
        [null, null, null],
        [null, null, '-0'],
        [null, null, null],
        [null, null, null],
        [null, null, '9007199254740993'],
        [null, 2147483648, '2147483648'],
      ],
    );
    const json = '[{"email":"j@x.example","first_name":12345678901234567890,"visits":5}]';
    await run(json, {
      format: 'json',
      mapping: { email: 'email', first_name: 'first_name', visits: 'visits' },
    });
    const [item] = (await items()).filter(({ email }) => email === 'j@x.example');
    assert.deepEqual([item?.['first_name'], item?.['visits']], ['12345678901234567890', 5]);
  });

  /** Everything but the key and the stamps, under the names of the fields. */
  const ownMapping = Object.fromEntries(
    [
      'email',
      'first_name',
      'last_name',
      'city',
      'birthday',
      'tags',
      'vip',
      'unsubscribed',
      'note',
      'visits',
      'height',
      'price',
      'seen',
      'extra',
    ].map((field) => [field, field]),
  );
  /** Imports an export again, as CSV and as JSON. */
  const reimport = async (what: string) => {
    const stored = await items();
    const formats = ['csv', 'json'] as const;
    const ids: string[] = [];
    for (const format of formats) {
      const file = await download(`exports/contacts?format=${format}`);
      ids.push(await upload(Buffer.from(file), { format, mapping: ownMapping }));
    }
    await work();
    for (const [index, id] of ids.entries()) {
      const entry = await find(id);
      const about = `${what}, as ${formats[index]}: ${JSON.stringify([entry.left_out, entry.rejected])}`;
      assert.deepEqual(countsOf(entry), [0, 0, stored.length, 0, 0], about);
      assert.equal(entry.left_out_count, 0, about);
    }
    assert.deepEqual(await items(), stored);
  };

  test('importing an exported file changes nothing (I6)', async () => {
    const people: object[] = [
      { first_name: '+49 170 1', last_name: "'+49", city: "''=1", note: "- one\n- two;=3\r\n'-4" },
      { tags: ['Paris, France', ' x ', 'say "hi"', ''], note: ' spaces at both ends ', city: '  ' },
      { tags: [], extra: 'text', note: '="x"' },
      { tags: ['["a"]'], extra: '5', vip: true, unsubscribed: true },
      { tags: ['-1', '=2'], extra: ['a', 'b'], note: "it's\t=1" },
      { extra: -5, visits: -7, height: 1e-7, price: '-0012.50', birthday: '0999-02-28' },
      { extra: { b: [1, null, 'x;=1'], a: {} }, height: 0.1, seen: '2026-03-29T00:30:00.123Z' },
      { extra: [], height: -0.5, visits: 2147483647, note: 'a@x.example,b\nc@x.example,d' },
      { extra: false, note: '"quoted", and "open', first_name: '\u00a0x', last_name: '\u{feff}y' },
      { note: 'a|b\tc;d,e\r\n\n\nf', city: 'sep=;', first_name: '"', last_name: "1;'=2" },
    ];
    for (const [index, person] of people.entries()) {
      await owner.ok('POST', `${base}/items/contacts`, {
        email: `p${index}@x.example`,
        ...person,
      });
    }
    await reimport('written by hand');
  });

  test('counts of an import add up for arbitrary files', async () => {
    const seed = Number(process.env['FILES_SEED'] ?? Date.now() % 1_000_000);
    const random = createRandom(seed);
    const files = Array.from({ length: 18 }, (_, index) => writeFile(random, index));
    const ids: string[] = [];
    for (const { bytes, settings } of files) ids.push(await upload(bytes, settings));
    await work();
    for (const [index, { rows, rejected, leftOut, text }] of files.entries()) {
      const entry = await find(ids[index]!);
      const about = `FILES_SEED=${seed}, file ${index}: ${JSON.stringify([text, entry.rejected, entry.left_out])}`;
      assert.equal(entry.status, 'completed', about);
      const [created, updated, unchanged, merged, refused] = countsOf(entry);
      assert.equal(entry.rows_done, rows, about);
      assert.deepEqual([updated, unchanged, refused, entry.left_out_count], [0, 0, rejected, leftOut], about);
      assert.equal(created! + merged!, rows - rejected, about);
    }
    await reimport(`FILES_SEED=${seed}`);
  });
});

/** A file as some program may write it, with what an import has to make of it. */
function writeFile({ below: random, pick }: Random, index: number) {
  const separator = pick([',', ';', '\t', '|']);
  const lineEnd = pick(['\n', '\r\n', '\r']);
  const encoding = pick<FileEncoding>(['utf-8', 'windows-1252', 'utf-16le', 'utf-16be']);
  const isNamed = random(3) === 0;
  const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
  const write = (cell: string) => {
    const isNeeded = cell.includes(separator) || /["\r\n]|^\s|\s$/.test(cell);
    return isNeeded || random(3) === 0 ? quote(cell) : cell;
  };
  const texts = [
    '',
    'Al',
    'Zoë',
    ' x ',
    'a, b; c | d',
    'say "hi"',
    `two${lineEnd}lines`,
    '-5',
    "'tis",
    '"',
    separator,
    `${separator}${lineEnd}`,
    '01067',
    'TRUE',
  ];
  let [rejected, leftOut] = [0, 0];
  const rows = Array.from({ length: 1 + random(12) }, (_, row) => {
    const address =
      random(8) === 0 ? `no..body@f${index}.example` : `p${random(5) === 0 ? 0 : row}@f${index}.example`;
    const cells = [
      write(address),
      write(pick(texts)),
      write(pick(['', 'true', 'ja', 'perhaps'])),
      write(pick(texts)),
    ];
    const isUnread = cells[2]!.includes('perhaps');
    const isRejected = address.startsWith('no');
    switch (random(7)) {
      case 0:
        cells.push('', '');
        break;
      case 1:
        cells.push('surplus');
        rejected += 1;
        return cells;
      case 2:
        if (!isRejected) leftOut += Number(isUnread) + 1;
        else rejected += 1;
        // A quote that nothing closes.
        cells[3] = '"Box 24';
        return cells;
      case 3:
        // The last cell is missing; the others say the same.
        cells.pop();
        break;
      default:
    }
    if (isRejected) rejected += 1;
    else if (isUnread) leftOut += 1;
    return cells;
  });
  const lines = [['mail', 'name', 'vip', 'note'], ...rows].map((cells) => cells.join(separator));
  const blank = random(3) === 0 ? lineEnd : '';
  const text = `${isNamed ? `sep=${separator}${lineEnd}` : ''}${lines.join(lineEnd + blank)}${pick(['', lineEnd, lineEnd + lineEnd])}`;
  const settings = {
    mapping: { mail: 'email', name: 'first_name', vip: 'vip', note: 'note' },
    separator: isNamed ? pick([',', ';']) : separator,
    encoding: encoding === 'windows-1252' ? encoding : 'utf-8',
  };
  const bytes = encode(text, encoding, random(2) === 0);
  return { bytes, settings, text, rows: rows.length, rejected, leftOut };
}
