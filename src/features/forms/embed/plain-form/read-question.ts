import { type Members, NotPlainError } from './members.ts';
import { choicesValidators, emailCheck, readBounds, readValidators, textValidators } from './read-checks.ts';
import type { ChoiceValue, PlainCheck, ScriptQuestion } from './script-form.ts';
import type { SurveyTexts } from './survey-texts.ts';

/** The input of a question, with the settings for drawing it. */
export type PlainField =
  | {
      readonly type: 'text';
      readonly inputType: string;
      readonly placeholder: string;
      readonly autocomplete: string | undefined;
      readonly maxLength: number | undefined;
      readonly min: number | string | undefined;
      readonly max: number | string | undefined;
      readonly step: number | undefined;
    }
  | {
      readonly type: 'comment';
      readonly placeholder: string;
      readonly rows: number;
      readonly maxLength: number | undefined;
    }
  | { readonly type: 'radiogroup' | 'checkbox'; readonly choices: readonly Choice[] }
  | { readonly type: 'dropdown'; readonly placeholder: string; readonly choices: readonly Choice[] }
  | { readonly type: 'boolean'; readonly label: string };

/** A choice and its visible text. */
export interface Choice {
  readonly value: ChoiceValue;
  readonly text: string;
}

/** A question of a plain form. */
export interface PlainQuestion extends ScriptQuestion {
  readonly title: string;
  /** True if the title is visible above the question; otherwise only screen readers read it. */
  readonly hasHeader: boolean;
  readonly description: string;
  readonly isRequired: boolean;
  readonly field: PlainField;
  readonly defaults: readonly ChoiceValue[];
}

/** Context for reading questions. */
export interface QuestionContext {
  readonly surveyText: SurveyTexts;
  /** The form's own email question, which must be answered. */
  readonly emailQuestion: string | null;
}

type Head = Pick<PlainQuestion, 'name' | 'title' | 'hasHeader' | 'description' | 'isRequired'> & {
  readonly required: readonly PlainCheck[];
};
type Body = Pick<PlainQuestion, 'kind' | 'values' | 'checks' | 'field' | 'defaults'>;
type ReadBody = (members: Members, head: Head, surveyText: SurveyTexts) => Body;

/** Types of `<input>` whose value is the visible text. */
const textInputs: ReadonlySet<string> = new Set(['text', 'email', 'tel', 'url', 'password', 'search']);
/** Types of `<input>` with `min` and `max`. Browsers check what is typed into them. */
const boundInputs: ReadonlySet<string> = new Set(['number', 'date', 'time']);

function readHead(members: Members, { surveyText, emailQuestion }: QuestionContext): Head {
  const name = members.string('name') ?? '';
  if (name === '' || name !== name.trim()) throw new NotPlainError();
  const location = members.string('titleLocation') ?? 'default';
  if (!['default', 'top', 'hidden'].includes(location)) throw new NotPlainError();
  const isRequired = members.flag('isRequired') || name === emailQuestion;
  const message = members.text('requiredErrorText') || surveyText('requiredError');
  members.allow('visible', true);
  members.allow('startWithNewLine', true);
  return {
    name,
    title: members.text('title') || name,
    hasHeader: location !== 'hidden',
    description: members.text('description'),
    isRequired,
    required: isRequired ? [{ kind: 'required', message }] : [],
  };
}

/** Reads the values of `defaultValue`. @throws NotPlainError if one is not valid. */
function readDefaults(members: Members, isValid: (value: unknown) => value is ChoiceValue): ChoiceValue[] {
  const value = members.read('defaultValue');
  if (value === undefined) return [];
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.map((one) => {
    if (!isValid(one)) throw new NotPlainError();
    return one;
  });
}

const readText: ReadBody = (members, { title, required }, surveyText) => {
  const inputType = members.string('inputType') ?? 'text';
  const isText = textInputs.has(inputType);
  if (!isText && !boundInputs.has(inputType)) throw new NotPlainError();
  const context = { surveyText, title, inputType };
  const maxLength = isText ? members.positive('maxLength') : undefined;
  const bounds = isText ? null : readBounds(members, context);
  const validators = readValidators(members, textValidators, context);
  const kind = inputType === 'number' ? 'number' : 'text';
  const type = kind === 'number' ? 'number' : 'string';
  return {
    kind,
    values: [],
    checks: [
      ...required,
      ...validators,
      ...(isText ? [] : [{ kind: 'valid', message: surveyText('invalidInputError') } as const]),
      ...(bounds?.checks ?? []),
      ...(inputType === 'email' ? [emailCheck(surveyText('invalidEmail'))] : []),
    ],
    field: {
      type: 'text',
      inputType,
      placeholder: members.text('placeholder'),
      autocomplete: members.string('autocomplete'),
      maxLength,
      min: bounds?.min,
      max: bounds?.max,
      step: bounds?.step,
    },
    defaults: readDefaults(members, (value): value is ChoiceValue => typeof value === type).slice(0, 1),
  };
};

const readComment: ReadBody = (members, { title, required }, surveyText) => ({
  kind: 'text',
  values: [],
  checks: [...required, ...readValidators(members, textValidators, { surveyText, title, inputType: 'text' })],
  field: {
    type: 'comment',
    placeholder: members.text('placeholder'),
    rows: members.positive('rows') ?? 4,
    maxLength: members.positive('maxLength'),
  },
  defaults: readDefaults(members, (value): value is ChoiceValue => typeof value === 'string').slice(0, 1),
});

/** Excludes values that SurveyJS changes or interprets: `"1|One"`, spaces around a value, and special names. */
function isPlainValue(value: unknown): value is ChoiceValue {
  if (typeof value === 'number') return true;
  if (typeof value !== 'string' || value === '' || value !== value.trim()) return false;
  return !/[|{]/.test(value) && !['other', 'none', 'refused', 'dontknow'].includes(value);
}

function readChoices(members: Members): Choice[] {
  const listed = members.read('choices');
  if (!Array.isArray(listed) || listed.length === 0) throw new NotPlainError();
  const choices = listed.map((item: unknown): Choice => {
    if (isPlainValue(item)) return { value: item, text: String(item) };
    const choice = members.nested(item);
    const value = choice.read('value');
    if (!isPlainValue(value)) throw new NotPlainError();
    const text = choice.text('text') || String(value);
    choice.requireAllRead();
    return { value, text };
  });
  if (new Set(choices.map(({ value }) => String(value))).size < choices.length) throw new NotPlainError();
  return choices;
}

const readSelect =
  (type: 'radiogroup' | 'checkbox' | 'dropdown'): ReadBody =>
  (members, { title, required }, surveyText) => {
    const choices = readChoices(members);
    members.allow('colCount', 1);
    for (const name of ['showOtherItem', 'showNoneItem', 'hasOther', 'hasNone']) members.allow(name, false);
    const isMany = type === 'checkbox';
    const context = { surveyText, title, inputType: '' };
    const defaults = readDefaults(members, (value): value is ChoiceValue =>
      choices.some((choice) => choice.value === value),
    );
    if (!isMany && defaults.length > 1) throw new NotPlainError();
    return {
      kind: isMany ? 'choices' : 'choice',
      values: choices.map(({ value }) => value),
      checks: [...required, ...(isMany ? readValidators(members, choicesValidators, context) : [])],
      field:
        type === 'dropdown'
          ? { type, choices, placeholder: members.text('placeholder') || surveyText('placeholder') }
          : { type, choices },
      defaults,
    };
  };

/** Reads a boolean shown as a checkbox. SurveyJS draws its default, a switch with three positions. */
const readBoolean: ReadBody = (members, { title, required, hasHeader }) => {
  if (members.string('renderAs') !== 'checkbox') throw new NotPlainError();
  const label = members.text('label');
  // SurveyJS shows the label instead of a missing title.
  if (label !== '' && (hasHeader || title === '')) throw new NotPlainError();
  return {
    kind: 'checkbox',
    values: [],
    checks: required,
    field: { type: 'boolean', label: hasHeader ? '' : label || title },
    defaults: [],
  };
};

const readers: Readonly<Record<string, ReadBody>> = {
  text: readText,
  comment: readComment,
  radiogroup: readSelect('radiogroup'),
  checkbox: readSelect('checkbox'),
  dropdown: readSelect('dropdown'),
  boolean: readBoolean,
};

/** Reads one element. @throws NotPlainError. */
export function readQuestion(members: Members, context: QuestionContext): PlainQuestion {
  const type = members.string('type') ?? '';
  const read = Object.hasOwn(readers, type) ? readers[type] : undefined;
  if (read === undefined) throw new NotPlainError();
  const head = readHead(members, context);
  const body = read(members, head, context.surveyText);
  members.requireAllRead();
  const { required: _required, ...shown } = head;
  return { ...shown, ...body };
}
