import type { TemplateError, TemplatePart } from './contract.ts';

/** A place in a template or snippet, 1-based. */
export interface Place {
  readonly part: TemplatePart;
  /** The snippet that the line and column are of; null for the template itself. */
  readonly snippet: string | null;
  readonly line: number;
  readonly column: number;
}

/** Where a fault is, as far as it is known. */
export type FaultPlace = Pick<Place, 'part'> & Partial<Omit<Place, 'part'>>;

/** Thrown inside a rendering thread; `toTemplateError` tells it to the outside. */
export class TemplateFault extends Error {
  readonly kind: TemplateError['kind'];
  readonly place: FaultPlace;
  readonly variable: string | undefined;

  constructor(kind: TemplateError['kind'], message: string, place: FaultPlace, variable?: string) {
    super(brief(message));
    this.kind = kind;
    this.place = place;
    this.variable = variable === undefined ? undefined : brief(variable);
  }
}

/** An error is read by people: a name of a thousand characters is not told in full. */
const MAX_SHOWN = 300;

function brief(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN).toWellFormed()}…`;
}

/** The fault of a template that cannot be read. */
export function syntaxFault(message: string, place: FaultPlace): TemplateFault {
  return new TemplateFault('syntax', message, place);
}

/** The fault of a template that cannot be rendered. */
export function renderFault(message: string, place: FaultPlace): TemplateFault {
  return new TemplateFault('render', message, place);
}

/** The fault of a variable that no data defines. */
export function undefinedVariable(variable: string, place: Place): TemplateFault {
  return new TemplateFault('render', `The variable "${variable}" is not defined`, place, variable);
}

/** Whatever was thrown while `part` was read or rendered, in the words that callers read. */
export function toTemplateError(thrown: unknown, part: TemplatePart): TemplateError {
  const fault = thrown instanceof TemplateFault ? thrown : unexpected(thrown, part);
  const { snippet, line, column } = fault.place;
  const where = [
    ...(line === undefined ? [] : [`line ${line}`]),
    ...(column === undefined ? [] : [`column ${column}`]),
    ...(snippet === undefined || snippet === null ? [] : [`snippet "${snippet}"`]),
  ];
  return {
    kind: fault.kind,
    message: `${fault.message}${where.length > 0 ? ` (${where.join(', ')})` : ''}.`,
    part: fault.place.part,
    ...(snippet === undefined || snippet === null ? {} : { snippet }),
    ...(fault.variable === undefined ? {} : { variable: fault.variable }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
}

/** V8 gives up on texts over 512 MB and on deep recursion by a RangeError. */
function unexpected(thrown: unknown, part: TemplatePart): TemplateFault {
  if (thrown instanceof RangeError)
    return renderFault('The template is too large or nested too deeply', { part });
  return renderFault('The template could not be rendered', { part });
}
