import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readFileSample } from './file-sample.ts';
import { ColumnCells } from './new-fields.ts';
import { suggestMapping } from './suggest-mapping.ts';

const read = (content: string | Buffer, choice?: Parameters<typeof readFileSample>[1]) =>
  readFileSample(new Blob([Buffer.from(content)]), choice);

suite('samples of import files', () => {
  test('encoding is detected with and without byte order mark', async () => {
    const text = 'E-Mail;Ort\r\na@x.example;Köln\r\n';
    const little = Buffer.from(text, 'utf16le');
    const big = Buffer.from(little).swap16();
    const mark = (hex: string, bytes: Buffer) => Buffer.concat([Buffer.from(hex, 'hex'), bytes]);
    const files: [encoding: string, bytes: Buffer][] = [
      ['utf-8', Buffer.from(text)],
      ['utf-8', mark('efbbbf', Buffer.from(text))],
      ['windows-1252', Buffer.from(text, 'latin1')],
      ['utf-16le', little],
      ['utf-16le', mark('fffe', little)],
      ['utf-16be', big],
      ['utf-16be', mark('feff', big)],
    ];
    for (const [encoding, bytes] of files) {
      const sample = await read(bytes);
      assert.deepEqual(
        [sample.encoding, sample.separator, sample.header, sample.rows, sample.isBinary],
        [encoding, ';', ['E-Mail', 'Ort'], [['a@x.example', 'Köln']], false],
      );
    }
    assert.equal((await read(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'))).isBinary, true);
  });

  test('late rows can change column types and encoding', async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => `${80_001 + index};x\n`).join('');
    const late = await read(Buffer.from(`code;name\n${rows}01067;M\xfcller\n`, 'latin1'));
    assert.deepEqual([late.columns[0]?.type, late.encoding, late.rows.length], ['string', 'windows-1252', 5]);
    assert.equal((await read(`code;name\n${rows}`)).columns[0]?.type, 'integer');
    // One broken character does not change all others.
    assert.equal(
      (await read(Buffer.concat([Buffer.from('ä;ö\nü;é\n'), Buffer.from([0xfc])]))).encoding,
      'utf-8',
    );
  });

  test('a separator line takes precedence over the choice', async () => {
    const sample = await read('\u{feff}sep=;\r\nmail;a,b\r\nx;1,2\r\n', { separator: ',' });
    assert.deepEqual(
      [sample.header, sample.rows, sample.isSeparatorNamed],
      [['mail', 'a,b'], [['x', '1,2']], true],
    );
    const chosen = await read('a;b,c\n1;2,3\n', { separator: ',' });
    assert.deepEqual(chosen.header, ['a;b', 'c']);
  });

  test('JSON files have a column per key, also in UTF-16', async () => {
    const json = JSON.stringify([{ mail: 'a@x.example' }, { mail: 'ü@x.example', size: 3 }]);
    for (const bytes of [Buffer.from(json), Buffer.from(json, 'utf16le')]) {
      const { format, header, rows } = await read(bytes);
      assert.deepEqual(
        [format, header, rows],
        [
          'json',
          ['mail', 'size'],
          [
            ['a@x.example', ''],
            ['ü@x.example', '3'],
          ],
        ],
      );
    }
  });
});

suite('suggested fields', () => {
  const fields = [
    'birthday',
    'city',
    'company',
    'country',
    'email',
    'first_name',
    'language',
    'last_name',
    'phone',
    'tags',
  ];
  const suggest = (header: string[], rows: string[][] = []) =>
    suggestMapping(
      header,
      header.map((_, index) => {
        const column = new ColumnCells();
        for (const row of rows) column.add(row[index] ?? '');
        return column;
      }),
      fields,
    );

  const sources: [source: string, headings: Record<string, string>, others: string[]][] = [
    [
      'Google',
      {
        'E-mail 1 - Value': 'email',
        'Given Name': 'first_name',
        'Family Name': 'last_name',
        'Organization 1 - Name': 'company',
        'Phone 1 - Value': 'phone',
        'Address 1 - City': 'city',
        Birthday: 'birthday',
      },
      ['Name', 'E-mail 1 - Type', 'E-mail 2 - Value', 'Phone 1 - Type'],
    ],
    [
      'Google, newer',
      {
        'First Name': 'first_name',
        'Last Name': 'last_name',
        'Organization Name': 'company',
        Labels: 'tags',
        'E-mail 1 - Value': 'email',
      },
      ['E-mail 1 - Label', 'Phonetic First Name'],
    ],
    [
      'Outlook',
      {
        'First Name': 'first_name',
        'Last Name': 'last_name',
        'E-mail Address': 'email',
        Company: 'company',
        'Business Phone': 'phone',
        'Business City': 'city',
        'Business Country/Region': 'country',
      },
      ['E-mail Type', 'E-mail Display Name', 'E-mail 2 Address'],
    ],
    [
      'Outlook in German',
      {
        Vorname: 'first_name',
        Nachname: 'last_name',
        'E-Mail-Adresse': 'email',
        Firma: 'company',
        'Telefon geschäftlich': 'phone',
        'Ort geschäftlich': 'city',
        'Land/Region geschäftlich': 'country',
      },
      ['E-Mail-Typ', 'E-Mail: Angezeigter Name'],
    ],
    [
      'Mailchimp',
      {
        'Email Address': 'email',
        'First Name': 'first_name',
        'Last Name': 'last_name',
        'Phone Number': 'phone',
        TAGS: 'tags',
      },
      ['MEMBER_RATING', 'OPTIN_TIME', 'EUID'],
    ],
    [
      'HubSpot',
      {
        Email: 'email',
        'First Name': 'first_name',
        'Last Name': 'last_name',
        'Company Name': 'company',
        'Country/Region': 'country',
        'Preferred language': 'language',
      },
      ['Record ID', 'Email Domain', 'Marketing emails opened'],
    ],
    [
      'HubSpot in German',
      {
        'E-Mail': 'email',
        Vorname: 'first_name',
        Nachname: 'last_name',
        Unternehmensname: 'company',
        Telefonnummer: 'phone',
        Stadt: 'city',
      },
      ['Datensatz-ID'],
    ],
    [
      'Brevo',
      { EMAIL: 'email', VORNAME: 'first_name', NACHNAME: 'last_name', SMS: 'phone' },
      ['CONTACT ID', 'ADDED_TIME'],
    ],
    [
      'LinkedIn',
      { 'First Name': 'first_name', 'Last Name': 'last_name', 'Email Address': 'email', Company: 'company' },
      ['URL', 'Position', 'Connected On'],
    ],
    [
      'Xing',
      {
        Vorname: 'first_name',
        Nachname: 'last_name',
        'E-Mail': 'email',
        Firma: 'company',
        Ort: 'city',
        Land: 'country',
      },
      ['Titel', 'Position'],
    ],
  ];
  for (const [source, headings, others] of sources)
    test(`headings of ${source} are recognized`, () =>
      assert.deepEqual(suggest([...others, ...Object.keys(headings)]), headings));

  test('cells identify addresses if headings do not', () => {
    assert.deepEqual(suggest(['Kontakt', 'Ort'], [['a@x.example', 'Köln']]), {
      Kontakt: 'email',
      Ort: 'city',
    });
    assert.deepEqual(suggest(['Email', 'Adresse'], [['yes', 'a@x.example']]), { Adresse: 'email' });
    assert.deepEqual(suggest(['Notes'], [['write to a@x.example']]), {});
  });
});
