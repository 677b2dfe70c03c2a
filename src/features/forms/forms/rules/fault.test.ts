import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { FormEngine } from './form-engine.ts';

type Json = Record<string, unknown>;

// The deadline of the full model uses the clock, so valid work can exceed it on a busy machine.
const engine = new FormEngine({ deadlineMs: 30_000 });
after(() => engine.close());

/** Returns the messages for answers to a form with these elements, by field. */
async function messagesOf(elements: Json[], answers: Json, locale?: string): Promise<Json> {
  const definition = { locale: 'de', pages: [{ name: 'p', elements }] };
  const named = { tenantId: 't', code: JSON.stringify(elements), version: 1 };
  const result = await engine.check(named, async () => definition, answers, locale);
  assert.ok(!result.ok);
  return Object.fromEntries(result.issues.map(({ field = '', message }) => [field, message]));
}

const elements = [
  { type: 'text', name: 'site', inputType: 'url' },
  { type: 'text', name: 'share', inputType: 'number', max: 0.5 },
  { type: 'checkbox', name: 'days', choices: ['a', 'b', 'c'], minSelectedChoices: 2 },
  { type: 'text', name: 'who', isRequired: true },
];
const answers = { site: 'nowhere', share: 1, days: ['a'], more: 1 };

test('API callers get errors in English, visitors in their language', async () => {
  assert.deepEqual(await messagesOf(elements, answers), {
    more: 'is not a question of this form',
    site: 'must be an absolute http, https or ftp URL',
    share: 'must be at most 0.5',
    days: 'must have at least 2 choices',
    who: 'is required',
  });
  assert.deepEqual(await messagesOf(elements, answers, 'de-AT'), {
    more: 'Das Formular wurde inzwischen geändert. Bitte laden Sie die Seite neu.',
    site: 'Bitte geben Sie eine vollständige Webadresse wie https://example.com ein.',
    share: 'Bitte geben Sie 0,5 oder weniger ein.',
    days: 'Bitte wählen Sie mehr aus: Mindestens 2 sind nötig.',
    who: 'Bitte beantworten Sie diese Frage.',
  });
  assert.equal((await messagesOf(elements, answers, 'da')).who, 'Please answer this question.');
});

test('errors of the full model have the same languages', async () => {
  const matrix = { type: 'matrixdynamic', name: 'people', columns: [{ name: 'age', isRequired: true }] };
  const sent = { people: [{}] };
  const ofApi = await messagesOf([matrix], sent);
  assert.deepEqual(ofApi, { 'people[0].age': 'Response required.' });
  const ofVisitor = await messagesOf([matrix], sent, 'fr');
  assert.match(String(ofVisitor['people[0].age']), /réponse/i);
  assert.deepEqual(await messagesOf([matrix], sent), ofApi, 'no run changes the language of the next');
});

test("a form's own messages are in the visitor's language if available", async () => {
  const texts = { default: 'Who?', fr: 'Qui ?' };
  const own = [{ type: 'text', name: 'who', isRequired: true, requiredErrorText: texts }];
  assert.deepEqual(await messagesOf(own, {}), { who: 'Who?' });
  assert.deepEqual(await messagesOf(own, {}, 'fr-CA'), { who: 'Qui ?' });
  assert.deepEqual(await messagesOf(own, {}, 'ja'), { who: 'Who?' });
});
