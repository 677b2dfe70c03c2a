import type { TemplateError, TemplatePart } from './contract.ts';

/** Known place of a fault: line and column, 1-based, in the snippet or else in the part. */
export type TemplatePosition = Pick<TemplateError, 'snippet' | 'line' | 'column'>;

/** Error inside a rendering thread; `toTemplateError` converts it for callers. */
export class TemplateFault extends Error {
  /** The error; `inPart` adds the part. */
  readonly error: Omit<TemplateError, 'part'> & Partial<Pick<TemplateError, 'part'>>;

  constructor(error: TemplateFault['error']) {
    super(error.message);
    this.error = error;
  }
}

/** Longest text in an error, in characters; longer names are cut. */
const MAX_SHOWN = 300;

function shortened(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN).toWellFormed()}…`;
}

/** Creates the fault of a template that does not parse. */
export function syntaxFault(message: string, position: TemplatePosition): TemplateFault {
  return new TemplateFault({ kind: 'syntax', message: withPosition(message, position), ...position });
}

/** Creates the fault of a template that cannot be rendered. */
export function renderFault(message: string, position: TemplatePosition = {}): TemplateFault {
  return new TemplateFault({ kind: 'render', message: withPosition(message, position), ...position });
}

/**
 * Creates the fault of an undefined variable. `suggestion` is a defined variable with a similar name, if there is one.
 */
export function undefinedVariable(
  variable: string,
  position: TemplatePosition,
  suggestion: string | null,
): TemplateFault {
  const hint = suggestion === null ? '' : `; did you mean "${suggestion}"?`;
  const { error } = renderFault(`The variable "${variable}" is not defined${hint}`, position);
  return new TemplateFault({ ...error, variable: shortened(variable) });
}

function withPosition(message: string, { line, column, snippet }: TemplatePosition): string {
  const parts = [
    ...(line === undefined ? [] : [`line ${line}`]),
    ...(column === undefined ? [] : [`column ${column}`]),
    ...(snippet === undefined ? [] : [`snippet "${snippet}"`]),
  ];
  return `${shortened(message)}${parts.length > 0 ? ` (${parts.join(', ')})` : ''}.`;
}

/** Runs work of a part. @throws TemplateFault that names the part. */
export function inPart<T>(part: TemplatePart, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw new TemplateFault(toTemplateError(thrown, part));
  }
}

/** Converts an error thrown while `part` was read or rendered to the error for callers. */
export function toTemplateError(thrown: unknown, part: TemplatePart): TemplateError {
  if (thrown instanceof TemplateFault) return { part, ...thrown.error };
  // V8 throws a RangeError for texts over 512 MB and for deep recursion.
  const isTooLarge = thrown instanceof RangeError;
  const message = isTooLarge
    ? 'The template is too large or nested too deeply.'
    : 'The template could not be rendered.';
  return { kind: 'render', message, part };
}
