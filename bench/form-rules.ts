/**
 * Cost of checking a submission with compiled rules, against building a SurveyJS model for it. Prints microseconds and
 * the ratio; fails unless compiled rules are at least a hundred times cheaper.
 */

import { Model } from 'survey-core';
import { compileForm } from '../src/features/forms/forms/rules/form-checker.ts';
import type { Bench } from './harness/options.ts';

type Json = Record<string, unknown>;
const LIMIT_RATIO = 100;

/** Returns a form of typical questions, every fifth with a condition, and a valid submission. */
function sample(count: number): { definition: Json; answers: Json } {
  const elements: Json[] = [];
  const answers: Json = {};
  for (let index = 0; index < count; index += 1) {
    const name = `q${index}`;
    const kinds: [Json, unknown][] = [
      [
        { type: 'text', inputType: 'email', isRequired: true, validators: [{ type: 'email' }] },
        'a@example.org',
      ],
      [{ type: 'dropdown', choices: ['x', 'y', 'z'], isRequired: true }, 'x'],
      [{ type: 'checkbox', choices: ['x', 'y', 'z'] }, ['x', 'y']],
      [
        {
          type: 'radiogroup',
          choices: [
            { value: 1, text: 'One' },
            { value: 2, text: 'Two' },
          ],
        },
        1,
      ],
      [{ type: 'comment', visibleIf: "{q1} = 'x'", maxLength: 500 }, 'Some words about it'],
    ];
    const [element, answer] = kinds[index % kinds.length] ?? [{}, undefined];
    elements.push({ ...element, name });
    answers[name] = answer;
  }
  return { definition: { pages: [{ name: 'p', elements }] }, answers };
}

function microseconds(runs: number, work: () => void): number {
  for (let index = 0; index < Math.min(runs, 2000); index += 1) work();
  const start = process.hrtime.bigint();
  for (let index = 0; index < runs; index += 1) work();
  return Number(process.hrtime.bigint() - start) / 1000 / runs;
}

/** Prints one line per form size. Returns true if compiled rules are cheap enough. */
export const formRules: Bench = async () => {
  let isReached = true;
  for (const count of [6, 20]) {
    const { definition, answers } = sample(count);
    const compile = microseconds(200, () => compileForm(definition));
    const checker = compileForm(definition);
    if (!checker.check(answers).ok) throw new Error('The sample submission is not valid.');
    const compiled = microseconds(50_000, () => checker.check(answers));
    const modelled = microseconds(60, () => {
      const model = new Model(definition);
      model.data = answers;
      model.validate(true, false);
    });
    const ratio = modelled / compiled;
    console.log(
      `${count} questions: compiled ${compiled.toFixed(2)} us, model ${modelled.toFixed(0)} us, ` +
        `ratio ${ratio.toFixed(0)} (limit ${LIMIT_RATIO}), compiling once ${compile.toFixed(0)} us`,
    );
    if (ratio < LIMIT_RATIO) isReached = false;
  }
  return isReached;
};
