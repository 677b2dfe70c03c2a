import { AppError, defineError, type Issue } from '../../../errors/app-error.ts';
import type { TemplateError } from './rendering/contract.ts';

/** The template, version or preview is invalid by itself (docs/specification/templates.md#errors). */
export const INVALID_TEMPLATE = defineError('INVALID_TEMPLATE', 400, 'The template is not valid.');

/** The template does not exist. */
export const TEMPLATE_NOT_FOUND = defineError('TEMPLATE_NOT_FOUND', 404, 'The template does not exist.');

/** The template is valid, but cannot be rendered with these data or snippets. */
export const TEMPLATE_RENDER_ERROR = defineError(
  'TEMPLATE_RENDER_ERROR',
  422,
  'The template could not be rendered.',
);

/** Creates the error that lists all issues of a template. */
export function invalidTemplate(issues: readonly Issue[]): AppError {
  return new AppError(INVALID_TEMPLATE, { issues });
}

/** Converts an error of the renderer to an issue of a request; `fields` maps parts to request fields. */
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
