import { AppError, defineError, type Issue } from '../../errors/app-error.ts';
import type { TemplateError } from './rendering/contract.ts';

/** A template, version or preview that is not valid in itself (docs/specification/templates.md#errors). */
export const INVALID_TEMPLATE = defineError('INVALID_TEMPLATE', 400, 'The template is not valid.');

/** No such template. */
export const TEMPLATE_NOT_FOUND = defineError('TEMPLATE_NOT_FOUND', 404, 'There is no such template.');

/** A template that is fine in itself, but not with these data or snippets. */
export const TEMPLATE_RENDER_ERROR = defineError(
  'TEMPLATE_RENDER_ERROR',
  422,
  'The template could not be rendered.',
);

/** A 400 that names each fault of a template. */
export function invalidTemplate(issues: readonly Issue[]): AppError {
  return new AppError(INVALID_TEMPLATE, { issues });
}

/** What the renderer says, as an issue of a request; `fields` tells which field each part came in. */
export function toIssue(
  error: TemplateError,
  fields: Readonly<Record<TemplateError['part'], string>>,
): Issue {
  const { message, variable, line, column } = error;
  return {
    field: fields[error.part],
    message,
    ...(variable === undefined ? {} : { variable }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
}
