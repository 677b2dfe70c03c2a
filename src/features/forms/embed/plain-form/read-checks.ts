import { EMAIL_PATTERN } from '../../forms/index.ts';
import { type Members, NotPlainError } from './members.ts';
import type { PlainCheck } from './script-form.ts';
import type { SurveyTexts } from './survey-texts.ts';

/** Context for reading the checks of a question. */
export interface CheckContext {
  readonly surveyText: SurveyTexts;
  /** Name of the question in error messages. */
  readonly title: string;
  readonly inputType: string;
}

type ReadValidator = (members: Members, text: string, context: CheckContext) => PlainCheck[];

/** Returns the check for a limit; none if the limit is undefined. */
function bound(
  kind: 'min' | 'max' | 'minLength' | 'maxLength',
  limit: number | undefined,
  message: string,
): PlainCheck[] {
  return limit === undefined ? [] : [{ kind, limit, message }];
}

function numberOf(members: Members, name: string): number | undefined {
  const value = members.read(name);
  if (value !== undefined && typeof value !== 'number') throw new NotPlainError();
  return value;
}

const readNumeric: ReadValidator = (members, text, { surveyText, title, inputType }) => {
  // For text inputs SurveyJS's validator guesses whether the text is a number.
  if (inputType !== 'number') throw new NotPlainError();
  const [min, max] = [numberOf(members, 'minValue'), numberOf(members, 'maxValue')];
  const both = min === undefined || max === undefined ? '' : surveyText('numericMinMax', title, min, max);
  return [
    ...bound('min', min, text || both || surveyText('numericMin', title, min ?? 0)),
    ...bound('max', max, text || both || surveyText('numericMax', title, max ?? 0)),
  ];
};

const readText: ReadValidator = (members, text, { surveyText }) => {
  const [min, max] = [members.positive('minLength'), members.positive('maxLength')];
  members.allow('allowDigits', true);
  const both = min === undefined || max === undefined ? '' : surveyText('textMinMaxLength', min, max);
  return [
    ...bound('minLength', min, text || both || surveyText('textMinLength', min ?? 0)),
    ...bound('maxLength', max, text || both || surveyText('textMaxLength', max ?? 0)),
  ];
};

const readAnswerCount: ReadValidator = (members, text, { surveyText }) => {
  const [min, max] = [members.positive('minCount'), members.positive('maxCount')];
  return [
    ...bound('minLength', min, text || surveyText('minSelectError', min ?? 0)),
    ...bound('maxLength', max, text || surveyText('maxSelectError', max ?? 0)),
  ];
};

const readPattern: ReadValidator = (members, message) => {
  const source = members.string('regex');
  if (source === undefined || message === '') throw new NotPlainError();
  return [{ kind: 'pattern', source, ignoresCase: members.flag('caseInsensitive'), message }];
};

/** The service's own rule for email addresses. */
export function emailCheck(message: string): PlainCheck {
  return { kind: 'pattern', source: EMAIL_PATTERN.source, ignoresCase: EMAIL_PATTERN.ignoreCase, message };
}

const readEmail: ReadValidator = (_members, text, { surveyText }) => [
  emailCheck(text || surveyText('invalidEmail')),
];

/** Supported validators of questions with a text or number. */
export const textValidators: Readonly<Record<string, ReadValidator>> = {
  email: readEmail,
  numeric: readNumeric,
  regex: readPattern,
  text: readText,
};
/** Supported validators of questions with several choices. */
export const choicesValidators: Readonly<Record<string, ReadValidator>> = { answercount: readAnswerCount };

/** Reads `validators` of a question. @throws NotPlainError for unsupported ones. */
export function readValidators(
  members: Members,
  supported: Readonly<Record<string, ReadValidator>>,
  context: CheckContext,
): PlainCheck[] {
  return members.optionalList('validators').flatMap((validator) => {
    const type = validator.string('type')?.replace(/validator$/, '') ?? '';
    const read = Object.hasOwn(supported, type) ? supported[type] : undefined;
    if (read === undefined) throw new NotPlainError();
    const checks = read(validator, validator.text('text'), context);
    validator.requireAllRead();
    return checks;
  });
}

/** Reads the `min` or `max` of a question. @throws NotPlainError for an expression. */
function limitOf(members: Members, name: string, inputType: string): number | string | undefined {
  const value = members.read(name);
  if (value === undefined || value === '') return undefined;
  const type = inputType === 'number' ? 'number' : 'string';
  if (type === 'number' && typeof value === 'number') return value;
  if (type === 'string' && typeof value === 'string' && !value.startsWith('=')) return value;
  throw new NotPlainError();
}

/** SurveyJS's default maximum; without it browsers accept years with six digits. */
const lastDate = '2999-12-31';

/** Limits of an input. */
export interface Bounds {
  readonly min: number | string | undefined;
  readonly max: number | string | undefined;
  readonly step: number | undefined;
  readonly checks: readonly PlainCheck[];
}

/** Reads `min`, `max` and `step` of a text question. */
export function readBounds(members: Members, { surveyText, inputType }: CheckContext): Bounds {
  const min = limitOf(members, 'min', inputType);
  const max = limitOf(members, 'max', inputType) ?? (inputType === 'date' ? lastDate : undefined);
  const step = inputType === 'number' ? members.positive('step') : undefined;
  const messages = {
    min: members.text('minErrorText') || surveyText('minError', min ?? ''),
    max: members.text('maxErrorText') || surveyText('maxError', max ?? ''),
  };
  return {
    min,
    max,
    step,
    checks: [
      ...(min === undefined ? [] : [{ kind: 'min', limit: min, message: messages.min } as const]),
      ...(max === undefined ? [] : [{ kind: 'max', limit: max, message: messages.max } as const]),
      ...(step === undefined
        ? []
        : [{ kind: 'step', limit: step, message: surveyText('stepError', step) } as const]),
    ],
  };
}
