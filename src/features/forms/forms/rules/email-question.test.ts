import assert from 'node:assert/strict';
import test from 'node:test';
import { findEmailQuestion } from './email-question.ts';

const text = (name: string, more: Record<string, unknown> = {}) => ({ type: 'text', name, ...more });
const form = (...elements: Record<string, unknown>[]) => ({ pages: [{ name: 'p', elements }] });

test('the question named by the form takes precedence over one that looks like an address', () => {
  assert.equal(findEmailQuestion(form(text('email'), text('contact')), 'contact'), 'contact');
});

test('a missing named question falls back to the first question for an address', () => {
  assert.equal(
    findEmailQuestion(form(text('x'), text('y', { inputType: 'email' }), text('email')), 'gone'),
    'y',
  );
});

test('questions named email or email_address count, also in panels', () => {
  const panel = { type: 'panel', name: 'panel', elements: [text('email_address')] };
  assert.equal(findEmailQuestion(form(text('x'), panel, text('email'))), 'email_address');
});

test('the question is identified by its name even if its answer has another key', () => {
  assert.equal(findEmailQuestion(form(text('email', { valueName: 'mail' }))), 'email');
  assert.equal(findEmailQuestion(form(text('contact', { valueName: 'mail' })), 'mail'), 'contact');
});

test('a form without an address question has none', () => {
  assert.equal(findEmailQuestion(form(text('x'))), null);
});
