/** Problems and warnings of a preflight. */
import Type, { type Static } from 'typebox';
import { AppError } from '../../../../errors/app-error.ts';
import { INVALID_STATUS } from '../../../../errors/platform-errors.ts';
import type { ContentProblem } from '../emails/content.ts';
import type { RecipientShapes } from './recipient-shapes.ts';
import type { SampleFault } from './sample-rendering.ts';

/** A problem or a warning of a preflight. */
export const PreflightEntry = Type.Object(
  {
    id: Type.String({ description: 'Stable code of the problem, such as `variable_missing`.' }),
    field: Type.String(),
    message: Type.String(),
    variable: Type.Optional(Type.String({ description: 'Variable without a value.' })),
    snippet: Type.Optional(Type.String({ description: 'Snippet that `line` and `column` refer to.' })),
    line: Type.Optional(Type.Integer({ description: '1-based.' })),
    column: Type.Optional(Type.Integer({ description: '1-based.' })),
    count: Type.Integer({ description: 'Affected recipients.' }),
  },
  { title: 'PreflightEntry' },
);
/** A problem or a warning of a preflight. */
export type PreflightEntry = Static<typeof PreflightEntry>;

/** Fields with the parts of an email that has its own content. */
const OWN_PARTS = { subject: 'subject', html: 'content.html', text: 'content.text' } as const;
/** Fields with the parts of an email that uses a template. */
const TEMPLATE_PARTS = {
  subject: 'subject',
  html: 'content.template_id',
  text: 'content.template_id',
} as const;

/** Problem of an audience without recipients. */
export const NO_RECIPIENTS: PreflightEntry = {
  id: 'no_recipients',
  field: 'list_ids',
  count: 0,
  message: 'The email has no recipients. Choose a list or an audience with active, subscribed members.',
};

/** Problem of content without text and images. */
export function emptyContent(recipients: number): PreflightEntry {
  return {
    id: 'content_empty',
    field: 'content',
    count: recipients,
    message: 'is empty: it has neither text nor an image',
  };
}

/** Converts problems of the content, which affect all recipients. */
export function contentProblems(problems: readonly ContentProblem[], recipients: number): PreflightEntry[] {
  return problems.map((problem) => ({ ...problem, count: recipients }));
}

/** Describes a rendering error to the author of the email. */
export function renderProblem(
  { error, count: failing }: SampleFault,
  { count: sampled, isSample }: Pick<RecipientShapes, 'count' | 'isSample'>,
  recipients: number,
  isTemplate: boolean,
): PreflightEntry {
  const { part, snippet, variable, line, column } = error;
  // For a large audience the count is extrapolated from the sample.
  const count = isSample && sampled > 0 ? Math.round((failing / sampled) * recipients) : failing;
  const about = isSample && failing < sampled ? 'about ' : '';
  const affected =
    failing >= sampled
      ? `any of the ${recipients} recipients`
      : `${about}${count} of ${recipients} recipients`;
  return {
    id: variable === undefined ? 'render_failed' : 'variable_missing',
    field: (isTemplate ? TEMPLATE_PARTS : OWN_PARTS)[part],
    message:
      variable === undefined
        ? error.message
        : `The variable "${variable}" has no value for ${affected}. Correct its name, or put it into {{#if ${variable}}}.`,
    ...(variable === undefined ? {} : { variable }),
    ...(snippet === undefined ? {} : { snippet }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    count,
  };
}

/** Creates a 409 that names all problems. */
export function unsendable(problems: readonly PreflightEntry[]): AppError {
  return new AppError(INVALID_STATUS, {
    message: `The email cannot be sent: ${describeProblems(problems)}.`,
    issues: problems,
  });
}

/** Describes problems in one sentence. */
export function describeProblems(
  problems: readonly Pick<PreflightEntry, 'id' | 'field' | 'message'>[],
): string {
  return problems.map(({ field, message }) => `${field}: ${message.replace(/\.$/, '')}`).join('; ');
}
