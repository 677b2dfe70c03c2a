import assert from 'node:assert/strict';
import test from 'node:test';
import { Model } from 'survey-core';
import { showIssues } from './issues.ts';

function createSurvey(): Model {
  const survey = new Model({
    pages: [
      {
        name: 'one',
        elements: [
          { type: 'text', name: 'name' },
          { type: 'text', name: 'a.b[0]' },
        ],
      },
      {
        name: 'two',
        elements: [
          { type: 'paneldynamic', name: 'people', templateElements: [{ type: 'text', name: 'age' }] },
          { type: 'text', name: 'mail' },
          { type: 'text', name: 'hidden', visible: false },
        ],
      },
    ],
  });
  survey.currentPageNo = 1;
  return survey;
}

function errorsOf(survey: Model, question: string): string[] {
  return survey.getQuestionByName(question).errors.map((error) => error.getText());
}

test('each issue is shown at its question, and the first question with an issue is returned', () => {
  const survey = createSurvey();
  const issues = [
    { field: 'people[0].age', message: 'Too old.' },
    { field: 'name', message: 'Taken.' },
    { field: 'form_data.a.b[0]', message: 'Odd.' },
  ];
  const { first, unplaced } = showIssues(survey, issues, 'mail');
  assert.deepEqual(errorsOf(survey, 'people'), ['Too old.']);
  assert.deepEqual(errorsOf(survey, 'name'), ['Taken.']);
  assert.deepEqual(errorsOf(survey, 'a.b[0]'), ['Odd.']);
  assert.equal(first?.name, 'name');
  assert.deepEqual(unplaced, []);
});

test('an issue of the email address is shown at the email question', () => {
  const survey = createSurvey();
  assert.equal(showIssues(survey, [{ field: 'email_address', message: 'Bad.' }], 'mail').first?.name, 'mail');
  assert.deepEqual(errorsOf(survey, 'mail'), ['Bad.']);
});

test('an issue of the email address is shown at the added question', () => {
  const survey = new Model({
    elements: [
      { type: 'text', name: 'mail', visible: false },
      { type: 'text', name: 'tessera_email_address' },
    ],
  });
  const shown = showIssues(survey, [{ field: 'email_address', message: 'Bad.' }], 'mail');
  assert.equal(shown.first?.name, 'tessera_email_address');
});

test('issues without a visible question are returned', () => {
  const survey = createSurvey();
  const issues = ['', 'nobody', '[0]', '.', 'x.y[1]', 'hidden'].map((field) => ({ field, message: field }));
  const { first, unplaced } = showIssues(survey, issues, null);
  assert.equal(first, null);
  assert.deepEqual(
    unplaced,
    issues.map((issue) => issue.message),
  );
});
