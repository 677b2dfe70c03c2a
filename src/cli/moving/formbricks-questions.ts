/** Elements of forms from questions of Formbricks. */
import Value from 'typebox/value';
import { type FormbricksQuestion, type FormbricksRule, LocalText, MatrixLine } from './formbricks-survey.ts';
import type { SurveyTexts } from './formbricks-texts.ts';

const MAX_NPS = 10;
const BYTES_PER_MB = 1024 * 1024;
const OTHER = 'other';
const NONE = 'none';

/** A SurveyJS element. */
export type FormElement = Readonly<Record<string, unknown>>;

/** A question being converted. */
export interface QuestionInput {
  readonly question: FormbricksQuestion;
  readonly texts: SurveyTexts;
  /** Reports something that has no counterpart. */
  readonly skip: (what: string) => void;
}

type Converter = (input: QuestionInput) => FormElement;

/** Returns the element of a question; undefined if its type has no counterpart. */
export function toElement(input: QuestionInput): FormElement | undefined {
  const { question, texts } = input;
  const own = CONVERTERS[question.type]?.(input);
  if (own === undefined) return undefined;
  if (question.videoUrl) input.skip('its video');
  return withoutUndefined({
    name: question.id,
    title: texts.plain(question.headline),
    description: texts.plain(question.subheader),
    isRequired: question.required === true ? true : undefined,
    ...own,
    ...rulesOf(input),
  });
}

/** Returns the image of a question, which stands before it; undefined if it has none. */
export function toImage({ id, imageUrl }: FormbricksQuestion): FormElement | undefined {
  return imageUrl ? { type: 'image', name: `${id}_image`, imageLink: imageUrl } : undefined;
}

const CONVERTERS: Readonly<Record<string, Converter>> = {
  openText: toText,
  multipleChoiceSingle: (input) => ({
    type: input.question.displayType === 'dropdown' ? 'dropdown' : 'radiogroup',
    ...choicesOf(input),
  }),
  multipleChoiceMulti: (input) => ({
    type: input.question.displayType === 'dropdown' ? 'tagbox' : 'checkbox',
    ...choicesOf(input),
  }),
  ranking: (input) => ({ type: 'ranking', ...choicesOf(input) }),
  nps: (input) => ({ ...toScale(input), rateMin: 0, rateMax: MAX_NPS }),
  rating: toScale,
  csat: toScale,
  ces: toScale,
  consent: ({ question, texts }) => ({
    type: 'checkbox',
    description: texts.plain(question.subheader ?? question.html),
    choices: [{ value: 'accepted', text: texts.plain(question.label) ?? 'accepted' }],
  }),
  cta: toMessage,
  pictureSelection: ({ question }) => ({
    type: 'imagepicker',
    multiSelect: question.allowMulti === true ? true : undefined,
    choices: (question.choices ?? []).map(({ id, imageUrl }, index) => ({
      value: id ?? String(index + 1),
      imageLink: imageUrl ?? '',
    })),
  }),
  date: ({ question, texts }) => ({
    type: 'text',
    inputType: 'date',
    description: texts.plain(question.subheader ?? question.html),
  }),
  fileUpload: ({ question }) => ({
    type: 'file',
    allowMultiple: question.allowMultipleFiles === true ? true : undefined,
    maxSize: typeof question.maxSizeInMB === 'number' ? question.maxSizeInMB * BYTES_PER_MB : undefined,
    acceptedTypes: question.allowedFileExtensions?.map((each) => `.${each.replace(/^\./, '')}`).join(','),
  }),
  matrix: ({ question, texts }) => ({
    type: 'matrix',
    rows: (question.rows ?? []).map((row) => toItem(texts, labelOf(row))),
    columns: (question.columns ?? []).map((column) => toItem(texts, labelOf(column))),
    isAllRowRequired: question.required === true ? true : undefined,
    rowsOrder: isShuffled(question) ? 'random' : undefined,
  }),
  address: (input) => toPanel(input, ADDRESS),
  contactInfo: (input) => toPanel(input, CONTACT),
};

const INPUT_TYPES: Readonly<Record<string, string>> = {
  email: 'email',
  url: 'url',
  number: 'number',
  phone: 'tel',
};

function toText({ question, texts }: QuestionInput): FormElement {
  const input = INPUT_TYPES[question.inputType ?? ''];
  return {
    type: question.longAnswer === true && input === undefined ? 'comment' : 'text',
    inputType: input,
    placeholder: texts.plain(question.placeholder),
  };
}

/** Answers are the labels in the survey's own language, as in Formbricks. */
function choicesOf({ question, texts, skip }: QuestionInput): FormElement {
  const choices = question.choices ?? [];
  const other = choices.find(({ id }) => id === OTHER);
  const none = choices.find(({ id }) => id === NONE);
  const isRanking = question.type === 'ranking';
  if (question.shuffleOption && !['none', 'all'].includes(question.shuffleOption))
    skip(`the order ${question.shuffleOption} of its choices`);
  if (isRanking && other !== undefined) skip('the choice "other" of a ranking');
  return {
    choices: choices
      .filter(({ id }) => id !== OTHER && id !== NONE)
      .map(({ label }) => toItem(texts, label ?? '')),
    choicesOrder: isShuffled(question) ? 'random' : undefined,
    ...(other === undefined || isRanking
      ? {}
      : {
          showOtherItem: true,
          otherText: texts.plain(other.label),
          otherPlaceholder: texts.plain(question.otherOptionPlaceholder),
        }),
    ...(none === undefined || isRanking ? {} : { showNoneItem: true, noneText: texts.plain(none.label) }),
  };
}

function isShuffled({ shuffleOption }: FormbricksQuestion): boolean {
  return typeof shuffleOption === 'string' && shuffleOption !== 'none';
}

function toItem(texts: SurveyTexts, label: LocalText): FormElement {
  const [value, text] = [texts.own(label), texts.plain(label)];
  return text === value ? { value } : { value, text };
}

function labelOf(line: NonNullable<FormbricksQuestion['rows']>[number]): LocalText {
  if (Value.Check(MatrixLine, line)) return line.label;
  return Value.Check(LocalText, line) ? line : '';
}

const RATE_TYPES: Readonly<Record<string, string>> = { smiley: 'smileys', star: 'stars' };

function toScale({ question, texts }: QuestionInput): FormElement {
  const { scale, range, lowerLabel, upperLabel } = question;
  return {
    type: 'rating',
    rateType: RATE_TYPES[scale ?? ''],
    rateMin: 1,
    rateMax: range ?? 5,
    minRateDescription: texts.plain(lowerLabel),
    maxRateDescription: texts.plain(upperLabel),
  };
}

/** A message with a link, if its button leads to another page. */
function toMessage({ question, texts }: QuestionInput): FormElement {
  const { headline, subheader, html, buttonExternal, buttonUrl, buttonLabel, ctaButtonLabel } = question;
  const link = buttonExternal === true && buttonUrl ? buttonUrl : undefined;
  return {
    type: 'html',
    title: undefined,
    description: undefined,
    isRequired: undefined,
    html: texts.message({
      title: headline,
      text: subheader ?? html,
      link,
      linkText: ctaButtonLabel ?? buttonLabel,
    }),
  };
}

/** Parts of addresses and contacts, with their titles if they have no placeholder. */
const PART_TITLES = {
  addressLine1: 'Address line 1',
  addressLine2: 'Address line 2',
  city: 'City',
  state: 'State',
  zip: 'ZIP',
  country: 'Country',
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email',
  phone: 'Phone',
  company: 'Company',
} as const;
type PartName = keyof typeof PART_TITLES;
const ADDRESS: readonly PartName[] = ['addressLine1', 'addressLine2', 'city', 'state', 'zip', 'country'];
const CONTACT: readonly PartName[] = ['firstName', 'lastName', 'email', 'phone', 'company'];

/** A panel with a question for each part that is shown. */
function toPanel({ question, texts }: QuestionInput, parts: readonly PartName[]): FormElement {
  const shown = parts.filter((part) => question[part]?.show === true);
  const elements = shown.map((part) =>
    withoutUndefined({
      type: 'text',
      name: `${question.id}_${part}`,
      title: texts.plain(question[part]?.placeholder) ?? PART_TITLES[part],
      inputType: part === 'email' || part === 'phone' ? INPUT_TYPES[part] : undefined,
      isRequired: question[part]?.required === true ? true : undefined,
    }),
  );
  return { type: 'panel', isRequired: undefined, elements };
}

/** Returns the rules for answers, and reports those without a counterpart. */
function rulesOf({ question, skip }: QuestionInput): FormElement {
  const { charLimit, validation } = question;
  const { rules = [], logic } = validation ?? {};
  if (logic === 'or' && rules.length > 1) {
    skip('rules of which only one must hold');
    return {};
  }
  const properties: Record<string, unknown> = {};
  const validators: unknown[] = [];
  if (charLimit?.enabled === true && charLimit.min)
    validators.push({ type: 'text', minLength: charLimit.min });
  if (charLimit?.enabled === true && charLimit.max) properties.maxLength = charLimit.max;
  for (const rule of rules) {
    const { property, validator } = toRule(rule);
    if (property !== undefined) Object.assign(properties, property);
    if (validator !== undefined) validators.push(validator);
    if (property === undefined && validator === undefined) skip(`the rule ${rule.type}`);
  }
  return validators.length > 0 ? { ...properties, validators } : properties;
}

/** Returns the property or the validator of a rule; neither if it has no counterpart. */
function toRule({ type, params }: FormbricksRule): { property?: FormElement; validator?: FormElement } {
  const { min, max, pattern, flags } = params;
  const [hasMin, hasMax] = [typeof min === 'number', typeof max === 'number'];
  if (type === 'minLength' && hasMin) return { validator: { type: 'text', minLength: min } };
  if (type === 'maxLength' && hasMax) return { property: { maxLength: max } };
  if (type === 'pattern' && pattern && !flags) return { validator: { type: 'regex', regex: pattern } };
  if (type === 'email') return { validator: { type: 'email' } };
  if (type === 'url') return { property: { inputType: 'url' } };
  if (type === 'phone') return { property: { inputType: 'tel' } };
  if (type === 'minValue' && hasMin) return { property: { min } };
  if (type === 'maxValue' && hasMax) return { property: { max } };
  if (type === 'minSelections' && hasMin) return { validator: { type: 'answercount', minCount: min } };
  // The property limits the choices in the page, and the validator the answers that the server accepts.
  if (type === 'maxSelections' && hasMax)
    return {
      property: { maxSelectedChoices: max },
      validator: { type: 'answercount', maxCount: max },
    };
  return {};
}

/** Returns the members that have a value. */
export function withoutUndefined(members: FormElement): FormElement {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
