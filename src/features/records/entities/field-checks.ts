/** Checks of a field's options against its type and against each other. */
import { isRounded } from '../../../db/written-json.ts';
import type { Issue } from '../../../errors/app-error.ts';
import { isText, MAX_INDEXED_CHARS, valueRulesOf } from './models.ts';
import type { Field, FieldType } from './schema.ts';
import { ROUNDED, readerOf } from './values.ts';

/** List parameters, and fields that every record has. */
const RESERVED_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'page',
  'per_page',
  'sort',
  'fields',
  'include',
  'search',
]);

/** Maximum length of a default: it is written to every record. */
const MAX_DEFAULT_CHARS = 10_000;

type Option = keyof Field;

const EVERYWHERE: readonly Option[] = ['name', 'type', 'label'];
const STORED: readonly Option[] = ['required', 'unique', 'indexed', 'default'];
const OF_TEXTS: readonly Option[] = ['min', 'max', 'pattern', 'searchable'];
const OF_NUMBERS: readonly Option[] = ['min', 'max'];

/** Options that are allowed for each type. */
const OPTIONS: Readonly<Record<FieldType, readonly Option[]>> = {
  string: [...STORED, ...OF_TEXTS],
  text: [...STORED, ...OF_TEXTS],
  integer: [...STORED, ...OF_NUMBERS],
  number: [...STORED, ...OF_NUMBERS],
  boolean: STORED,
  date: STORED,
  datetime: STORED,
  json: ['required', 'default'],
  uuid: STORED,
  enum: [...STORED, 'enum', 'searchable'],
  relation: ['required', 'unique', 'indexed', 'relation'],
};

/** Returns the issues of a field. */
export function fieldFaults(field: Field, path: string): Issue[] {
  const at = (option: string, message: string): Issue => ({ field: `${path}.${option}`, message });
  const reserved = RESERVED_FIELDS.has(field.name) ? [at('name', 'is reserved')] : [];
  const misplaced = optionsGiven(field)
    .filter((option) => ![...EVERYWHERE, ...OPTIONS[field.type]].includes(option))
    .map((option) => at(option, `is not an option of type ${field.type}`));
  // Other checks would only repeat the error for a misplaced option.
  if (misplaced.length > 0) return [...reserved, ...misplaced];
  const own = field.type === 'relation' ? relationFaults(field, at) : valueFaults(field, at);
  return [...reserved, ...own];
}

type At = (option: string, message: string) => Issue;

/** Lists the options that are set to something other than their default. */
function optionsGiven(field: Field): Option[] {
  const options: Option[] = [...EVERYWHERE, ...STORED, ...OF_TEXTS, 'enum', 'relation'];
  return options.filter(
    (option) =>
      ![undefined, null, false].some((value) => field[option] === value) || isFalseDefault(field, option),
  );
}

function isFalseDefault(field: Field, option: Option): boolean {
  return option === 'default' && field.default === false;
}

function relationFaults({ relation, ...field }: Field, at: At): Issue[] {
  if (relation === undefined) return [at('relation', 'is required')];
  if (relation.kind === 'belongs_to')
    return relation.field === undefined ? [] : [at('relation.field', 'is an option of has_many')];
  const stored = (['required', 'unique', 'indexed'] as const).filter((option) => field[option] === true);
  return [
    ...stored.map((option) => at(option, 'is not an option of has_many')),
    ...(relation.field === undefined ? [at('relation.field', 'is required')] : []),
  ];
}

function valueFaults(field: Field, at: At): Issue[] {
  const bounds = boundFaults(field, at);
  const choices = choiceFaults(field, at);
  const issues = [...bounds, ...choices];
  if (issues.length > 0 || (field.default ?? null) === null) return issues;
  if (field.type !== 'json' && isRounded(field, 'default')) return [at('default', ROUNDED)];
  const read = readerOf(valueRulesOf(field, false))(field.default);
  if ('message' in read) return [at('default', read.message)];
  const isLong = JSON.stringify(field.default).length > MAX_DEFAULT_CHARS;
  return isLong ? [at('default', 'is too long')] : [];
}

function choiceFaults({ type, enum: choices }: Field, at: At): Issue[] {
  if (type === 'enum' && choices === undefined) return [at('enum', 'is required')];
  if (choices && new Set(choices).size < choices.length)
    return [at('enum', 'must not contain a choice twice')];
  return [];
}

function boundFaults({ type, min, max, unique, indexed }: Field, at: At): Issue[] {
  const issues: Issue[] = [];
  const isCount = (value: number | undefined) =>
    value === undefined || (Number.isInteger(value) && value >= 0);
  const isInteger = (value: number | undefined) => value === undefined || Number.isSafeInteger(value);
  const fits = isText(type) ? isCount : type === 'integer' ? isInteger : () => true;
  const kind = isText(type) ? 'a length' : 'an integer';
  if (!fits(min)) issues.push(at('min', `must be ${kind}`));
  if (!fits(max)) issues.push(at('max', `must be ${kind}`));
  if (min !== undefined && max !== undefined && min > max) issues.push(at('max', 'must not be below min'));
  if (isText(type) && (unique === true || indexed === true)) {
    const message = `must be at most ${MAX_INDEXED_CHARS} where a text is unique or indexed`;
    if (max !== undefined && max > MAX_INDEXED_CHARS) issues.push(at('max', message));
    if (min !== undefined && min > MAX_INDEXED_CHARS) issues.push(at('min', message));
  }
  return issues;
}
