import assert from 'node:assert/strict';
import test from 'node:test';
import { Model } from 'survey-core';
import { collectAnswers } from './answers.ts';
import { prepareDefinition } from './form-definition.ts';

function fill(elements: readonly object[], answers: object, emailQuestion: string | null) {
  const form = { formBuilderOptions: { pages: [{ elements }] }, email_question: emailQuestion };
  const definition = prepareDefinition(form, 'Email address');
  const survey = new Model(definition);
  survey.data = answers;
  return { survey, collected: collectAnswers(survey, definition, emailQuestion) };
}

const name = { type: 'text', name: 'name' };

test('the added email question is not part of the form data', () => {
  const { collected } = fill([name], { name: 'Ada', email_address: ' ada@example.org ' }, null);
  assert.deepEqual(collected, { email_address: 'ada@example.org', form_data: { name: 'Ada' } });
});

test("the form's own email question provides the address and stays in the form data", () => {
  const question = { type: 'text', name: 'mail', valueName: 'contact', inputType: 'email' };
  const { collected } = fill(
    [{ type: 'panel', name: 'p', elements: [question] }],
    { contact: 'a@b.no' },
    'mail',
  );
  assert.deepEqual(collected, { email_address: 'a@b.no', form_data: { contact: 'a@b.no' } });
});

test('answers to hidden questions are not sent and not lost', () => {
  const hidden = { type: 'text', name: 'why', visibleIf: "{name} = 'x'" };
  const { survey, collected } = fill(
    [name, hidden],
    { name: 'Ada', why: 'secret', email_address: 'a@b.no' },
    null,
  );
  assert.deepEqual(collected.form_data, { name: 'Ada' });
  assert.equal(survey.data.why, 'secret');
  assert.equal(survey.state, 'running');
});

test('a missing address is sent empty, and the service validates it', () => {
  assert.equal(fill([name], { name: 'Ada' }, null).collected.email_address, '');
});

const mail = { type: 'text', name: 'mail', inputType: 'email' };

test("the page adds an email question while the form's own is hidden", () => {
  const newsletter = { type: 'text', name: 'newsletter' };
  const hidden = { ...mail, visibleIf: "{newsletter} = 'yes'" };
  const panel = { type: 'panel', name: 'p', elements: [hidden] };
  for (const elements of [
    [newsletter, hidden],
    [newsletter, panel],
    [newsletter, { ...panel, visible: false }],
    [newsletter, { ...panel, visible: false, visibleIf: '{newsletter} notempty' }],
  ]) {
    const answers = { newsletter: 'no', mail: 'old@b.no', tessera_email_address: 'a@b.no' };
    const { survey, collected } = fill(elements, answers, 'mail');
    assert.equal(survey.getQuestionByName('tessera_email_address').isVisible, true);
    assert.deepEqual(collected, { email_address: 'a@b.no', form_data: { newsletter: 'no' } });
  }
});

test("an address in the added question is ignored once the form's own is visible", () => {
  const elements = [
    { type: 'text', name: 'newsletter' },
    { ...mail, visibleIf: "{newsletter} = 'yes'" },
  ];
  const answers = { newsletter: 'yes', mail: 'a@b.no', tessera_email_address: 'old@b.no' };
  assert.deepEqual(fill(elements, answers, 'mail').collected, {
    email_address: 'a@b.no',
    form_data: { newsletter: 'yes', mail: 'a@b.no' },
  });
});
