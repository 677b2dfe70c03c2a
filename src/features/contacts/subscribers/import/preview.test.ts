/** Files as spreadsheets and other systems write them, previewed and imported with the suggested mapping. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createMember } from '../../../../../test/harness/members.ts';
import { eventually } from '../../../../../test/harness/poll.ts';
import { startTestApp, type TestTenant } from '../../../../../test/harness/test-app.ts';

const app = await startTestApp();
const tenant = await app.createTenant();
const IMPORT = '/api/subscribers/import';

type Api = Pick<TestTenant, 'api'>;
type File = string | Buffer;

async function send({ api }: Api, path: string, file: File, status = 200, type = 'text/csv') {
  const options = { rawBody: file, headers: { 'content-type': type } };
  return (await api.post(path, undefined, status, options)).body;
}

const preview = (file: File, caller: Api = tenant, status = 200) =>
  send(caller, `${IMPORT}/preview`, file, status);

/** Returns the suggested fields by header. */
async function suggested(file: File): Promise<Record<string, string | null>> {
  const { columns } = await preview(file);
  return Object.fromEntries(
    columns.map(({ header, suggested_field }: Record<string, string>) => [header, suggested_field]),
  );
}

/** Imports a file with a mapping; returns the counts. */
async function run(caller: Api, file: File, mapping: object) {
  const query = `mode=upsert&mapping=${encodeURIComponent(JSON.stringify(mapping))}`;
  const { import_id: id } = await send(caller, `${IMPORT}?${query}`, file);
  return eventually('the end of the import', async () => {
    const { body } = await caller.api.get(`${IMPORT}/${id}`);
    return body.status === 'completed' && body;
  });
}

async function find({ api }: Api, email: string) {
  const filters = { email: { operation: 'eq', value: email } };
  return (await api.post('/api/subscribers/list', { page: 1, limit: 1, filters })).body.results[0];
}

/** Encodes a text in Windows-1252; its characters must be in Latin-1. */
const windows = (text: string) => Buffer.from(text, 'latin1');

const EXCEL_GERMAN =
  'E-Mail-Adresse;Vorname;Nachname;Straße\r\njörg@example.org;Jörg;Müller;Hauptstraße 1\r\n';
const GERMAN_FIELDS = {
  'E-Mail-Adresse': 'email',
  Vorname: 'first_name',
  Nachname: 'last_name',
  Straße: 'additional_fields_data.Strasse',
};

test('a file of a German Excel is recognized in every encoding in which Excel saves it', async () => {
  const files = {
    'windows-1252': windows(EXCEL_GERMAN),
    'utf-8': Buffer.from(`\ufeff${EXCEL_GERMAN}`),
    'utf-16le': Buffer.from(`\ufeff${EXCEL_GERMAN}`, 'utf16le'),
  };
  for (const [encoding, file] of Object.entries(files)) {
    const found = await preview(file);
    assert.deepEqual(found, {
      ...{ format: 'csv', encoding, delimiter: ';', source: null, problems: [] },
      columns: [
        { header: 'E-Mail-Adresse', samples: ['jörg@example.org'], suggested_field: 'email' },
        { header: 'Vorname', samples: ['Jörg'], suggested_field: 'first_name' },
        { header: 'Nachname', samples: ['Müller'], suggested_field: 'last_name' },
        {
          header: 'Straße',
          samples: ['Hauptstraße 1'],
          suggested_field: 'additional_fields_data.Strasse',
        },
      ],
    });
  }
});

test('separators are detected, and a column has the first three cells with content as samples', async () => {
  for (const separator of [',', ';', '\t', '|']) {
    const rows = [
      'Email,City',
      'a@example.org,',
      'b@example.org,Rome',
      'c@example.org,',
      'd@example.org,Bern',
    ];
    const { delimiter, columns } = await preview(rows.join('\n').replaceAll(',', separator));
    assert.equal(delimiter, separator);
    assert.deepEqual(
      columns.map(({ samples }: { samples: string[] }) => samples),
      [
        ['a@example.org', 'b@example.org', 'c@example.org'],
        ['Rome', 'Bern'],
      ],
    );
  }
});

test('headers of Numbers, Google, Brevo and HubSpot are recognized in four languages', async () => {
  assert.deepEqual(
    await suggested('First Name,Last Name,E-mail 1 - Value,Notes\nAda,King,ada@example.org,\n'),
    {
      ...{ 'First Name': 'first_name', 'Last Name': 'last_name', 'E-mail 1 - Value': 'email' },
      Notes: 'additional_fields_data.Notes',
    },
  );
  assert.deepEqual(await suggested('CONTACT ID;EMAIL;PRENOM;NOM;SMS\n1;ada@example.org;Ada;King;\n'), {
    ...{ 'CONTACT ID': null, EMAIL: 'email', PRENOM: 'first_name', NOM: 'last_name' },
    SMS: 'additional_fields_data.sms',
  });
  assert.deepEqual(
    await suggested(
      '"Record ID","First Name","Last Name","Email","Phone Number"\n"1","Ada","King","a@example.org",""\n',
    ),
    {
      ...{ 'Record ID': null, 'First Name': 'first_name', 'Last Name': 'last_name', Email: 'email' },
      'Phone Number': 'additional_fields_data.phone_number',
    },
  );
  assert.deepEqual(await suggested('Nombre;Apellidos;Correo electrónico\nAda;King;ada@example.org\n'), {
    ...{ Nombre: 'first_name', Apellidos: 'last_name', 'Correo electrónico': 'email' },
  });
  assert.deepEqual(await suggested('Prénom\tNom\tAdresse e-mail\nAda\tKing\tada@example.org\n'), {
    ...{ Prénom: 'first_name', Nom: 'last_name', 'Adresse e-mail': 'email' },
  });
});

test('a column of addresses is recognized by its content, and one of whole names by the other columns', async () => {
  assert.deepEqual(await suggested('Name,Kontakt\nAda,ada@example.org\n'), {
    ...{ Name: 'first_name', Kontakt: 'email' },
  });
  assert.deepEqual(await suggested('Vorname,Name,Mail\nAda,King,ada@example.org\n'), {
    ...{ Vorname: 'first_name', Name: 'last_name', Mail: 'email' },
  });
});

test('exports of listmonk and Mailchimp name the source with which they are imported', async () => {
  const listmonk =
    'uuid,email,name,attributes,status,created_at,updated_at\n6f1c,a@example.org,Ada,{},enabled,,\n';
  const mailchimp = 'Email Address,First Name,Last Name,LEID,EUID,TAGS\na@example.org,Ada,King,1,2,\n';
  assert.equal((await preview(listmonk)).source, 'listmonk');
  assert.equal((await preview(mailchimp)).source, 'mailchimp');
});

test('problems name workbooks, missing headers, repeated headers and rows that cannot be read', async () => {
  const { format, problems } = await preview(Buffer.from('PK\x03\x04\x14\0', 'latin1'));
  assert.deepEqual(
    [format, problems[0].message],
    ['workbook', 'The file is a workbook. Export its table as CSV.'],
  );
  const problemsOf = async (file: string) => (await preview(file)).problems;
  assert.deepEqual(await problemsOf(''), [{ message: 'The file is empty.' }]);
  assert.deepEqual(await problemsOf('ada@example.org,Ada\nbob@example.org,Bob\n'), [
    { line: 1, message: 'The first row must have the names of columns.' },
  ]);
  assert.deepEqual(await problemsOf('city,city\nRome,Bern,x\n,"Bonn'), [
    { message: 'No column has been recognized as the address.' },
    { column: 'city', message: 'city appears twice in the header' },
    { line: 2, message: 'has 3 cells where the header has 2' },
    { line: 3, column: 'city', message: 'city has an unclosed quote' },
  ]);
});

test('the cut last row of a first mebibyte is no problem', async () => {
  const rows = `email,note\n${'ada@example.org,"a note"\n'.repeat(50_000)}`;
  assert.deepEqual((await preview(rows.slice(0, 1024 ** 2))).problems, []);
  assert.equal((await preview(rows, tenant, 413)).code, 'PAYLOAD_TOO_LARGE');
});

test('a preview needs the editor role', async () => {
  const viewer = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'viewer' }]);
  assert.equal((await preview('email\n', viewer, 403)).code, 'FORBIDDEN');
});

test('a file is imported with the suggested mapping', async () => {
  const other = await app.createTenant();
  assert.equal((await run(other, windows(EXCEL_GERMAN), GERMAN_FIELDS)).created, 1);
  const { first_name, last_name, additional_fields_data: data } = await find(other, 'jörg@example.org');
  assert.deepEqual([first_name, last_name, data], ['Jörg', 'Müller', { Strasse: 'Hauptstraße 1' }]);
});

test('a column that is mapped to null is ignored, and one without a mapping keeps its name', async () => {
  const file = 'email,Nr,city\nnina@example.org,7,Rome\n';
  await run(tenant, file, { Nr: null });
  assert.deepEqual((await find(tenant, 'nina@example.org')).additional_fields_data, { city: 'Rome' });
});

test('an invalid mapping imports nothing', async () => {
  const refused = async (mapping: string, query = '', type = 'text/csv') => {
    const path = `${IMPORT}?mode=insert&mapping=${encodeURIComponent(mapping)}${query}`;
    return (await send(tenant, path, 'Mail,Ort\nmia@example.org,Rom\n', 400, type)).issues;
  };
  const only = [{ field: 'mapping', message: 'is allowed only for CSV without source' }];
  assert.deepEqual(await refused('{}', '&source=listmonk'), only);
  assert.deepEqual(await refused('{}', '', 'application/x-ndjson'), only);
  for (const text of ['x', '[]', 'null'])
    assert.deepEqual(await refused(text), [{ field: 'mapping', message: 'must be a JSON object' }]);
  for (const field of ['id', 'city', 'additional_fields_data.a b', '', 3])
    assert.match(
      (await refused(JSON.stringify({ Mail: field })))[0].message,
      /^must map Mail to one of email,/,
    );
  assert.deepEqual(await refused('{"Mail":"email","Stadt":null}'), [
    { field: 'mapping', message: 'has the column Stadt, which the file lacks' },
  ]);
  assert.deepEqual(await refused('{"Mail":"email","Ort":"email"}'), [
    { field: 'email', message: 'appears twice in the header' },
  ]);
  assert.equal(await find(tenant, 'mia@example.org'), undefined);
});
