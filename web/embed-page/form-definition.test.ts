import assert from 'node:assert/strict';
import test from 'node:test';
import { prepareDefinition } from './form-definition.ts';

function prepare(
  formBuilderOptions: Record<string, unknown>,
  email_question: string | null = 'mail',
): unknown {
  return prepareDefinition({ formBuilderOptions, email_question }, 'Email address');
}

const mail = { type: 'text', name: 'mail' };

test('choices are never read from a URL, at any depth', () => {
  const column = { name: 'c', choicesByUrl: { url: '/x' } };
  const definition = {
    pages: [
      {
        elements: [
          mail,
          { type: 'dropdown', name: 'd', choicesByUrl: { url: '/x' }, choices: [1] },
          { type: 'panel', elements: [{ type: 'matrixdynamic', name: 'm', columns: [column] }] },
        ],
      },
    ],
  };
  assert.deepEqual(prepare(definition), {
    pages: [
      {
        elements: [
          mail,
          { type: 'dropdown', name: 'd', choices: [1] },
          { type: 'panel', elements: [{ type: 'matrixdynamic', name: 'm', columns: [{ name: 'c' }] }] },
        ],
      },
    ],
  });
});

test('the definition neither redirects nor sets cookies', () => {
  const definition = {
    navigateToUrl: 'javascript:x',
    navigateToUrlOnCondition: [{}],
    cookieName: 'c',
    title: 'T',
  };
  const pages = [{ elements: [mail] }];
  assert.deepEqual(prepare({ ...definition, pages }), { title: 'T', pages });
});

test('a form without an email question gets one at the end of its last page', () => {
  const pages = [{ elements: [] }, { name: 'last', elements: [{ type: 'text', name: 'q' }] }];
  const prepared = JSON.stringify(prepare({ pages }, null));
  assert.match(
    prepared,
    /^\{"pages":\[\{"elements":\[\]\},\{"name":"last","elements":\[\{"type":"text","name":"q"\},\{/,
  );
  assert.match(prepared, /"name":"email_address".*"inputType":"email".*"isRequired":true/);
});

test("a form's own email question is unchanged if it is always visible", () => {
  const pages = [{ elements: [{ type: 'panel', elements: [mail] }] }, { visible: false, elements: [] }];
  assert.deepEqual(prepare({ pages }), { pages });
});

test('a question nested in a choice is not the email question', () => {
  const choice = { value: 'x', elements: [{ type: 'text', name: 'mail' }] };
  const pages = [{ elements: [{ type: 'radiogroup', name: 'a', choices: [choice] }] }];
  assert.match(JSON.stringify(prepare({ pages })), /"name":"tessera_email_address".*"visibleIf":"true"/);
});

test('the added question gets its own page if the last one is conditional', () => {
  for (const hidden of [{ visibleIf: '{q} = 1' }, { visible: false }]) {
    const prepared = JSON.stringify(prepare({ pages: [{ ...hidden, elements: [] }] }, null));
    assert.match(prepared, /"elements":\[\]\},\{"elements":\[\{"type":"text","name":"email_address"/);
  }
});
