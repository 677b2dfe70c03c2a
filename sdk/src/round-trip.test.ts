/** Records that `get` returns can be sent again: the compiler checks all resources, and a test one of them. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { startTestApp } from '../../test/harness/test-app.ts';
import type { Resources } from './generated/resources.ts';
import { type schemas, Tessera } from './index.ts';

/** The parameter of a method that follows the ids. */
type BodyOf<Parameters> = Parameters extends readonly [string, ...infer Rest]
  ? BodyOf<Rest>
  : Parameters extends readonly [infer Body, ...unknown[]]
    ? Body
    : never;

/** Resources whose record has another type than the body of the method. */
type Refused<Method extends string> = {
  [Name in keyof Resources]: Resources[Name] extends {
    get: (...args: never[]) => Promise<infer Reply>;
  } & Record<Method, (...args: infer Args) => unknown>
    ? Reply extends BodyOf<Args>
      ? never
      : Name
    : never;
}[keyof Resources];

/** Bodies of other kinds than the record: files, passwords, addresses and recipients. */
type OtherBodies = 'assets' | 'browserSessions' | 'passwordResets' | 'transmissions';

type None<Names extends never> = Names;
/** Does not compile while a resource is refused. */
export type Checked = None<Exclude<Refused<'create'>, OtherBodies> | Refused<'replace'>>;

const app = await startTestApp();
const tessera = new Tessera({ url: app.url, apiKey: (await app.createTenant()).apiKey });
const FORM: schemas.FormCreate = {
  name: 'Visit',
  form_type: 'embedded_form',
  active: true,
  allowed_origins: [],
  formBuilderOptions: { pages: [{ name: 'p', elements: [{ type: 'text', name: 'email' }] }] },
  post_submit_actions: [{ type: 'show_message', html: '<p>Thanks</p>' }],
};

test('a form is created and replaced as it was returned', async () => {
  const { code } = await tessera.forms.create(FORM);
  const form = await tessera.forms.get(code);
  await tessera.forms.replace(code, form);
  const copy = await tessera.forms.get((await tessera.forms.create(form)).code);
  assert.deepEqual(
    [copy.name, copy.formBuilderOptions, copy.post_submit_actions],
    [FORM.name, FORM.formBuilderOptions, FORM.post_submit_actions],
  );
});

test('filters have the fields and operations of their list', async () => {
  await tessera.forms.create({ ...FORM, name: 'Filtered' });
  const byOperation = await tessera.forms.list({
    filters: { name: { like: 'Filter' }, active: { eq: true } },
  });
  const byName = await tessera.forms.list({ filters: { name: { operation: 'in', value: ['Filtered'] } } });
  assert.deepEqual([byOperation.total, byName.total], [1, 1]);
  const subscribers = await tessera.subscribers.list({
    filters: {
      'additional_fields_data.city': { eq: 'Oslo' },
      created_at: { between: ['2026-01-01', '2026-02-01'] },
    },
  });
  assert.equal(subscribers.total, 0);
  // @ts-expect-error: no such field
  await assert.rejects(tessera.forms.list({ filters: { colour: { eq: 'red' } } }));
  // @ts-expect-error: no such operation
  await assert.rejects(tessera.forms.list({ filters: { name: { sounds: 'Visit' } } }));
  // @ts-expect-error: another type
  await assert.rejects(tessera.forms.list({ filters: { active: { eq: 'yes' } } }));
});
