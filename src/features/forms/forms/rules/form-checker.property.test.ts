import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { Model } from 'survey-core';
import { type FormDefinition, isObject } from './definition.ts';
import { checkDefinition } from './definition-check.ts';
import { compileForm } from './form-checker.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e'];
const CHOICES = ['x', 'y', 'z'];

/** Conditions over earlier and later questions. */
const condition = fc.oneof(
  fc
    .tuple(fc.constantFrom(...NAMES), fc.constantFrom('=', '<>'), fc.constantFrom(...CHOICES))
    .map(([name, op, value]) => `{${name}} ${op} '${value}'`),
  fc.constantFrom(...NAMES).map((name) => `{${name}} notempty`),
  fc.constantFrom(...NAMES).map((name) => `{${name}} empty`),
  fc.constantFrom(...NAMES).map((name) => `{${name}} contains 'x'`),
  fc
    .tuple(fc.constantFrom(...NAMES), fc.constantFrom(...NAMES))
    .map(([one, two]) => `{${one}} = 'x' or {${two}} = 'y'`),
);

const optional = <T>(value: fc.Arbitrary<T>, weight = 3): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined, freq: weight });

const question = (name: string): fc.Arbitrary<Record<string, unknown>> =>
  fc.record({
    type: fc.constantFrom('text', 'dropdown', 'radiogroup', 'checkbox', 'comment'),
    name: fc.constant(name),
    isRequired: optional(fc.boolean()),
    visible: optional(fc.boolean(), 1),
    visibleIf: optional(condition),
    requiredIf: optional(condition, 1),
    enableIf: optional(condition, 1),
    clearIfInvisible: optional(fc.constantFrom('none', 'onComplete'), 1),
    minSelectedChoices: optional(fc.constant(2), 1),
    choices: fc.constant(CHOICES),
    validators: optional(
      fc.constantFrom(
        [{ type: 'expression', expression: "{a} <> 'x'" }],
        [{ type: 'text', minLength: 2 }],
        [{ type: 'answercount', minCount: 2 }],
        [{ type: 'numeric', minValue: 3 }],
        [{ type: 'expression', expression: '{b} empty', notificationType: 'warning' }],
      ),
      1,
    ),
  });

const form: fc.Arbitrary<Form> = fc
  .tuple(fc.tuple(...NAMES.map(question)), optional(condition), optional(condition), fc.boolean())
  .map(([[a = {}, b = {}, c = {}, d = {}, e = {}], pageCondition, panelCondition, isPanelRequired]) => ({
    pages: [
      { name: 'p1', elements: [clean(a), clean(b)] },
      {
        name: 'p2',
        ...(pageCondition === undefined ? {} : { visibleIf: pageCondition }),
        elements: [
          clean(c),
          {
            type: 'panel',
            name: 'panel',
            isRequired: isPanelRequired,
            ...(panelCondition === undefined ? {} : { visibleIf: panelCondition }),
            elements: [clean(d), clean(e)],
          },
        ],
      },
    ],
  }));

interface Form extends Record<string, unknown> {
  pages: { elements: Record<string, unknown>[] }[];
}

/** Removes undefined, which JSON does not have: a question has only the properties of its type. */
function clean(element: Record<string, unknown>): Record<string, unknown> {
  const { choices, minSelectedChoices, ...rest } = element;
  const type = element.type;
  const hasChoices = type !== 'text' && type !== 'comment';
  const full = {
    ...rest,
    ...(hasChoices ? { choices } : {}),
    ...(type === 'checkbox' ? { minSelectedChoices } : {}),
  };
  return Object.fromEntries(Object.entries(full).filter(([, value]) => value !== undefined));
}

/** Answers of the right shape for a form, some missing. */
function answersFor(definition: Form): fc.Arbitrary<Record<string, unknown>> {
  const elements = definition.pages
    .flatMap((page) => page.elements)
    .flatMap((element) => (Array.isArray(element.elements) ? element.elements.filter(isObject) : [element]));
  const byName = elements.map((element) => {
    const value: fc.Arbitrary<unknown> =
      element.type === 'checkbox'
        ? fc.uniqueArray(fc.constantFrom(...CHOICES), { minLength: 1 })
        : fc.constantFrom(...CHOICES);
    return fc
      .option(value, { nil: undefined })
      .map((answer): [string, unknown] => [String(element.name), answer]);
  });
  return fc
    .tuple(...byName)
    .map((entries) => Object.fromEntries(entries.filter(([, answer]) => answer !== undefined)));
}

/** Checks a submission with survey-core's own model. */
function checkByModel(
  definition: FormDefinition,
  answers: Record<string, unknown>,
): { ok: boolean; answers: Record<string, unknown> } {
  const model = new Model(definition);
  model.data = answers;
  const ok =
    model.validate(true, false) &&
    model
      .getAllQuestions()
      .every((q) => q.errors.every((error) => ['warning', 'info'].includes(error.notificationType)));
  if (ok) {
    model.doComplete();
  }
  return { ok, answers: model.data };
}

test('compiled rules accept and reject the same as the SurveyJS model, and keep the same answers', () => {
  const cases = form.chain((definition) => fc.tuple(fc.constant(definition), answersFor(definition)));
  fc.assert(
    fc.property(cases, ([definition, answers]) => {
      assert.deepEqual(checkDefinition(definition), []);
      const actual = compileForm(definition).check(answers);
      const expected = checkByModel(definition, answers);
      assert.equal(actual.ok, expected.ok, JSON.stringify(actual));
      if (actual.ok) assert.deepEqual(actual.answers, expected.answers);
    }),
    { numRuns: 200 },
  );
});
