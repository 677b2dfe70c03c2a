/** A form whose time limit expires is accepted without the answers of the pages that were not reached. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { checkDefinition } from './definition-check.ts';
import { compileForm } from './form-checker.ts';
import { FormEngine } from './form-engine.ts';

type Json = Record<string, unknown>;
type Page = { name: string; elements: Json[] };

const engine = new FormEngine({ deadlineMs: 30_000 });
after(() => engine.close());

const required = (name: string, more: Json = {}): Json => ({ type: 'text', name, isRequired: true, ...more });
const page = (...elements: Json[]): Page => ({ name: `page-${elements[0]?.name}`, elements });
const TIMED = { showTimer: true, timeLimit: 60 };
const THREE = [page(required('a')), page(required('b')), page(required('c'))];
const panel = { type: 'panel', name: 'p', isRequired: true, elements: [{ type: 'text', name: 'b' }] };

/** Settings of the form, its pages, answers, and the rejected fields. */
const CASES: Record<string, [settings: Json, pages: Page[], answers: Json, refused: string[]]> = {
  'all pages were reached': [TIMED, THREE, { a: '1', b: '2', c: '3' }, []],
  'the last page was not reached': [TIMED, THREE, { a: '1', b: '2' }, []],
  'only the first page was reached': [TIMED, THREE, { a: '1' }, []],
  'the first page has no answer': [TIMED, THREE, {}, ['a']],
  'a page before the last answer has none': [TIMED, THREE, { a: '1', c: '3' }, ['b']],
  'a page was answered in part': [
    TIMED,
    [page(required('a'), required('d')), page(required('b'))],
    { a: '1' },
    ['d'],
  ],
  'a wrong answer on a reached page': [
    TIMED,
    [page(required('a', { inputType: 'number' })), page(required('b'))],
    { a: 'x' },
    ['a'],
  ],
  'a required panel was not reached': [TIMED, [page(required('a')), page(panel)], { a: '1' }, []],
  'a default value on a page that was not reached': [
    TIMED,
    [...THREE, page(required('d', { defaultValue: 'x' }))],
    { a: '1', d: 'x' },
    [],
  ],
  'a computed value on a page that was not reached': [
    TIMED,
    [...THREE, page({ type: 'expression', name: 'd', expression: '{a} + 1' })],
    { a: '1' },
    [],
  ],
  'the names of earlier versions': [{ showTimerPanel: 'top', maxTimeToFinish: 60 }, THREE, { a: '1' }, []],
  'a time limit of pages only': [{ showTimer: true, timeLimitPerPage: 10 }, THREE, { a: '1' }, ['b', 'c']],
  'a timer that is not shown does not run': [{ timeLimit: 60 }, THREE, { a: '1' }, ['b', 'c']],
  'all pages are shown as one': [
    { ...TIMED, questionsOnPageMode: 'singlePage' },
    THREE,
    { a: '1' },
    ['b', 'c'],
  ],
  'one question at a time': [
    { ...TIMED, questionsOnPageMode: 'questionPerPage' },
    [page(required('a'), required('d')), page(required('b'))],
    { a: '1' },
    [],
  ],
  'the time begins after a start page': [{ ...TIMED, firstPageIsStartPage: true }, THREE, { a: '1' }, ['b']],
  'faults are shown at the end only': [{ ...TIMED, checkErrorsMode: 'onComplete' }, THREE, {}, []],
  'settings that are not read from a definition': [
    { ...TIMED, validationAllowComplete: true },
    THREE,
    {},
    ['a'],
  ],
};

for (const [name, [settings, pages, answers, refused]] of Object.entries(CASES))
  test(`time limit: ${name}`, async () => {
    const definition = { ...settings, pages };
    assert.deepEqual(checkDefinition(definition), []);
    // Only the full model can check a repeated panel.
    const repeated = { type: 'paneldynamic', name: 's', templateElements: [{ type: 'text', name: 't' }] };
    const large = { ...settings, pages: [...pages, page(repeated)] };
    const version = { tenantId: 't', code: name, version: 1 };
    const byModel = await engine.check(version, async () => large, answers);
    for (const result of [compileForm(definition).check(answers), byModel])
      assert.deepEqual(result.ok ? [] : result.issues.map(({ field }) => field), refused);
  });
