import assert from 'node:assert/strict';
import test from 'node:test';
import { findEmailQuestion } from './email-question.ts';

const text = (name: string, more: Record<string, unknown> = {}) => ({ type: 'text', name, ...more });
const form = (...elements: Record<string, unknown>[]) => ({ pages: [{ name: 'p', elements }] });

test('the question named by the form wins over one that looks like an address', () => {
  assert.equal(findEmailQuestion(form(text('email'), text('contact')), 'contact'), 'contact');
});

test('a named question that does not exist falls back to the first that holds an address', () => {
  assert.equal(
    findEmailQuestion(form(text('x'), text('y', { inputType: 'email' }), text('email')), 'gone'),
    'y',
  );
});

test('names email and email_address count, nested in panels too', () => {
  const panel = { type: 'panel', name: 'panel', elements: [text('email_address')] };
  assert.equal(findEmailQuestion(form(text('x'), panel, text('email'))), 'email_address');
});

test('a question is given by its name, also when its answer has another', () => {
  assert.equal(findEmailQuestion(form(text('email', { valueName: 'mail' }))), 'email');
  assert.equal(findEmailQuestion(form(text('contact', { valueName: 'mail' })), 'mail'), 'contact');
});

test('a form without an address has none', () => {
  assert.equal(findEmailQuestion(form(text('x'))), null);
});
