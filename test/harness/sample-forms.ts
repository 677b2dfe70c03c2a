import type { Client } from './client.ts';

/** A form of two pages: choices, a condition, a required question and an email address. */
export const twoPageDefinition = {
  title: 'Feedback',
  pages: [
    {
      name: 'about',
      title: 'About you',
      elements: [
        { type: 'text', name: 'full_name', title: 'Your name', isRequired: true },
        { type: 'text', name: 'email', title: 'Your email', inputType: 'email', isRequired: true },
      ],
    },
    {
      name: 'opinion',
      title: 'Your opinion',
      elements: [
        {
          type: 'radiogroup',
          name: 'satisfied',
          title: 'Satisfied?',
          choices: ['yes', 'no'],
          isRequired: true,
        },
        {
          type: 'text',
          name: 'reason',
          title: 'Why not?',
          isRequired: true,
          visibleIf: "{satisfied} = 'no'",
        },
        { type: 'checkbox', name: 'topics', title: 'Topics', choices: ['speed', 'price', 'service'] },
        {
          type: 'dropdown',
          name: 'country',
          title: 'Country',
          choices: [{ value: 'de', text: 'Germany' }, { value: 'fr' }],
        },
      ],
    },
  ],
};

/** A form with one element of each kind that is rendered without SurveyJS. */
export const plainDefinition = {
  title: 'Contact',
  description: 'Write to us',
  pages: [
    {
      title: 'You',
      description: 'Who you are',
      elements: [
        { type: 'text', name: 'email', title: 'Your email', inputType: 'email', placeholder: 'you@there' },
        { type: 'text', name: 'name', title: 'Your name', description: 'As on the door' },
        { type: 'text', name: 'age', title: 'Your age', inputType: 'number', min: 3, max: 99 },
        { type: 'text', name: 'day', title: 'When?', inputType: 'date' },
        { type: 'text', name: 'short', title: 'Short', maxLength: 20 },
        { type: 'comment', name: 'text', title: 'Message', maxLength: 500 },
      ],
    },
    {
      title: 'Choices',
      elements: [
        { type: 'radiogroup', name: 'one', title: 'One of', choices: [1, { value: 'two', text: 'Second' }] },
        { type: 'checkbox', name: 'some', title: 'Some of', choices: ['a', 'b', 'c'] },
        { type: 'dropdown', name: 'list', title: 'From a list', choices: ['x', 'y'] },
        { type: 'boolean', name: 'terms', title: 'I agree', renderAs: 'checkbox', titleLocation: 'hidden' },
      ],
    },
  ],
};

/** The same form with a setting without effect that only SurveyJS supports. */
export const surveyDefinition = { ...plainDefinition, sendResultOnPageNext: false };

/** Answers that `twoPageDefinition` accepts. */
export const goodAnswers = {
  full_name: 'Ada Lovelace',
  email: 'ada@example.com',
  satisfied: 'yes',
  topics: ['speed', 'service'],
  country: 'de',
};

/** Returns the body of a form with that definition; `more` overrides fields. */
export function formBody(more: object = {}): object {
  return {
    name: 'Feedback',
    allowed_origins: ['*'],
    active: true,
    form_type: 'embedded_form',
    formBuilderOptions: twoPageDefinition,
    ...more,
  };
}

/** Creates a form through the API and returns its code. */
export async function createForm(api: Client, more: object = {}): Promise<string> {
  return (await api.post('/api/forms', formBody(more))).body.code;
}

/** Submits valid answers through the API and returns the submission's id. */
export async function submit(api: Client, formCode: string, answers: object = goodAnswers): Promise<string> {
  const body = { form_code: formCode, email_address: 'ada@example.com', form_data: answers };
  return (await api.post('/api/form_submissions', body)).body.submission_id;
}
