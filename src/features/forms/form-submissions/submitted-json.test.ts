/** Answers keep the JSON in which they were submitted: all digits of numbers, and the order of keys. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { eventually } from '../../../../test/harness/poll.ts';
import { startReceiver } from '../../../../test/harness/receiver.ts';
import { createForm } from '../../../../test/harness/sample-forms.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const { api } = await app.createTenant();
const receiver = await startReceiver();

const TEXTS = [
  { type: 'text', name: 'order' },
  { type: 'text', name: 'amount', inputType: 'number' },
  { type: 'text', name: '10' },
  { type: 'text', name: '9' },
  { type: 'multipletext', name: 'parts', items: [{ name: 'b' }, { name: '2' }, { name: '1' }] },
];
const columns = ['sku', 'count'].map((name) => ({ name, cellType: 'text' }));
const TEXT_ANSWERS: readonly string[] = [
  '{"order":12345678901234567890}',
  '{"order":-9007199254740993}',
  '{"amount":1.0}',
  '{"amount":0.10}',
  '{"amount":1e3}',
  '{"amount":12345678901234567890.5}',
  '{"10":"b","9":"a"}',
  '{"order":1E+2,"10":7.00,"9":9007199254740993}',
  '{"parts":{"b":"x","2":"y","1":"z"}}',
  '{"parts":{"2":1.50,"1":12345678901234567891}}',
];
const MATRIX_ANSWERS: readonly string[] = [
  '{"lines":[{"sku":12345678901234567890,"count":2.0},{"count":1,"sku":"a"}]}',
  '{"lines":[{"count":1.10}],"order":0.0000001}',
];

interface Kind {
  readonly elements: readonly object[];
  readonly accepted: readonly string[];
}

const KINDS: Readonly<Record<string, Kind>> = {
  'with compiled rules': { elements: TEXTS, accepted: TEXT_ANSWERS },
  'that needs the full model': {
    elements: [...TEXTS, { type: 'matrixdynamic', name: 'lines', columns }],
    accepted: [...TEXT_ANSWERS, ...MATRIX_ANSWERS],
  },
};

for (const [name, { elements, accepted }] of Object.entries(KINDS)) {
  const code = await createForm(api, { formBuilderOptions: { pages: [{ name: 'p', elements }] } });
  const event = { event_type: 'form.submission', form_code: code };
  await api.post('/api/webhooks', { event, name, target: { url: `${receiver.url}/hook` } });
  const { public_code } = (await api.get(`/api/forms/${code}`)).body;

  for (const answers of accepted)
    test(`a form ${name} keeps ${answers}`, async () => {
      const body = (more: string) => `{${more}"email_address":"ada@example.com","form_data":${answers}}`;
      const byKey = await api.send('POST', '/api/form_submissions', {
        rawBody: body(`"form_code":"${code}",`),
      });
      const byPage = await app.anonymous.send('POST', `/embed/${public_code}/submissions`, {
        rawBody: body(''),
      });
      for (const { status, text, body: answer } of [byKey, byPage]) {
        assert.equal(status, 200, text);
        const id = answer.submission_id;
        const read = await api.get(`/api/form_submissions/${id}`);
        const history = await api.get(`/api/entity/versions?entityType=form_submission&entitySortKey=${id}`);
        const delivery = await eventually('the delivery', async () =>
          receiver.received.find((each) => each.text.includes(id)),
        );
        for (const shown of [read.text, history.text, delivery.text])
          assert.ok(shown.includes(`"form_data":${answers}`), shown);
      }
    });
}
