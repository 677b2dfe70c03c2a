/** What preflight reports, and what keeps an e-mail from being sent. */
import Type, { type Static } from 'typebox';
import { AppError } from '../../../errors/app-error.ts';
import { INVALID_STATUS } from '../../../errors/platform-errors.ts';

import type { ContentProblem } from '../emails/content.ts';
import type { RecipientShapes } from './recipient-shapes.ts';
import type { TrialFault } from './trial-rendering.ts';

/** A problem or a warning of a preflight. */
export const PreflightEntry = Type.Object(
  {
    id: Type.String({ description: 'A stable name of the fault, such as `variable_missing`.' }),
    field: Type.String(),
    message: Type.String(),
    variable: Type.Optional(Type.String({ description: 'The variable without a value.' })),
    snippet: Type.Optional(Type.String({ description: 'The snippet in which `line` and `column` count.' })),
    line: Type.Optional(Type.Integer({ description: '1-based line in the template.' })),
    column: Type.Optional(Type.Integer({ description: '1-based column in the template.' })),
    count: Type.Integer({ description: 'Recipients that it concerns.' }),
  },
  { title: 'PreflightEntry' },
);
/** A problem or a warning of a preflight. */
export type PreflightEntry = Static<typeof PreflightEntry>;

/** The fields in which the parts of an e-mail with content of its own come. */
const OWN_PARTS = { subject: 'subject', html: 'content.html', text: 'content.text' } as const;
/** The same of an e-mail that sends a template. */
const TEMPLATE_PARTS = {
  subject: 'subject',
  html: 'content.template_id',
  text: 'content.template_id',
} as const;

/** Nobody in the audience can receive the e-mail. */
export const NO_RECIPIENTS: PreflightEntry = {
  ...{ id: 'no_recipients', field: 'list_ids', count: 0 },
  message: 'Nobody would get it: choose a list or an audience with active, subscribed people.',
};

/** The e-mail shows nothing. */
export function emptyContent(people: number): PreflightEntry {
  return {
    ...{ id: 'content_empty', field: 'content', count: people },
    message: 'is empty: it shows neither text nor a picture',
  };
}

/** What the content lacks, with the people who would get it. */
export function contentProblems(problems: readonly ContentProblem[], people: number): PreflightEntry[] {
  return problems.map((problem) => ({ ...problem, count: people }));
}

/** A fault of a rendering, in the words of whoever writes the e-mail. */
export function renderProblem(
  { error, people }: TrialFault,
  { people: all, isSample }: Pick<RecipientShapes, 'people' | 'isSample'>,
  recipients: number,
  isTemplate: boolean,
): PreflightEntry {
  const { part, snippet, variable, line, column } = error;
  // Of a large audience only a sample was rendered.
  const count = isSample && all > 0 ? Math.round((people / all) * recipients) : people;
  const about = isSample && people < all ? 'about ' : '';
  const whom =
    people >= all ? `any of the ${recipients} recipients` : `${about}${count} of ${recipients} recipients`;
  return {
    id: variable === undefined ? 'render_failed' : 'variable_missing',
    field: (isTemplate ? TEMPLATE_PARTS : OWN_PARTS)[part],
    message:
      variable === undefined
        ? error.message
        : `The variable "${variable}" has no value for ${whom}. Correct its name, or put it into {{#if ${variable}}}.`,
    ...(variable === undefined ? {} : { variable }),
    ...(snippet === undefined ? {} : { snippet }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    count,
  };
}

/** A 409 that names every problem. */
export function unsendable(problems: readonly PreflightEntry[]): AppError {
  return new AppError(INVALID_STATUS, {
    message: `The e-mail cannot be sent: ${inWords(problems)}.`,
    issues: problems,
  });
}

/** The problems in one sentence. */
export function inWords(problems: readonly Pick<PreflightEntry, 'id' | 'field' | 'message'>[]): string {
  return problems.map(({ field, message }) => `${field}: ${message.replace(/\.$/, '')}`).join('; ');
}
