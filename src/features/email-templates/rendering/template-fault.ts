import type { TemplateError, TemplatePart } from './contract.ts';

/** Where a fault is, as far as it is known: line and column, 1-based, of the snippet or else of the part itself. */
export type Place = Pick<TemplateError, 'snippet' | 'line' | 'column'>;

/** Thrown inside a rendering thread; `toTemplateError` tells it to the outside. */
export class TemplateFault extends Error {
  /** The part is added by who knows it. */
  readonly error: Omit<TemplateError, 'part'> & Partial<Pick<TemplateError, 'part'>>;

  constructor(error: TemplateFault['error']) {
    super(error.message);
    this.error = error;
  }
}

/** An error is read by people: a name of a thousand characters is not told in full. */
const MAX_SHOWN = 300;

function brief(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN).toWellFormed()}…`;
}

/** The fault of a template that cannot be read. */
export function syntaxFault(message: string, place: Place): TemplateFault {
  return new TemplateFault({ kind: 'syntax', message: located(message, place), ...place });
}

/** The fault of a template that cannot be rendered. */
export function renderFault(message: string, place: Place = {}): TemplateFault {
  return new TemplateFault({ kind: 'render', message: located(message, place), ...place });
}

/** The fault of a variable that no data defines. */
export function undefinedVariable(variable: string, place: Place): TemplateFault {
  const { error } = renderFault(`The variable "${variable}" is not defined`, place);
  return new TemplateFault({ ...error, variable: brief(variable) });
}

function located(message: string, { line, column, snippet }: Place): string {
  const where = [
    ...(line === undefined ? [] : [`line ${line}`]),
    ...(column === undefined ? [] : [`column ${column}`]),
    ...(snippet === undefined ? [] : [`snippet "${snippet}"`]),
  ];
  return `${brief(message)}${where.length > 0 ? ` (${where.join(', ')})` : ''}.`;
}

/** Does what belongs to a part. @throws TemplateFault that names it. */
export function inPart<T>(part: TemplatePart, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw new TemplateFault(toTemplateError(thrown, part));
  }
}

/** Whatever was thrown while `part` was read or rendered, in the words that callers read. */
export function toTemplateError(thrown: unknown, part: TemplatePart): TemplateError {
  if (thrown instanceof TemplateFault) return { part, ...thrown.error };
  // V8 gives up on texts over 512 MB and on deep recursion by a RangeError.
  const isTooMuch = thrown instanceof RangeError;
  const message = isTooMuch
    ? 'The template is too large or nested too deeply.'
    : 'The template could not be rendered.';
  return { kind: 'render', message, part };
}
