import Type from 'typebox';
import { AppError } from '../../errors/app-error.ts';
import { FORBIDDEN, NOT_FOUND, RATE_LIMITED } from '../../errors/platform-errors.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { Filters, Limit, listReply, Page } from '../../resources/paging.ts';
import { FORM_NOT_FOUND } from '../forms/index.ts';
import { INVALID_SUBMISSION } from './errors.ts';
import { findSubmission, listSubmissions } from './queries.ts';
import { Submission, SubmissionBody } from './schema.ts';
import { prepareSubmission, storeSubmission } from './service.ts';

const tag = 'Forms';

/** Form submissions (document 3, Form submissions). */
export const routes: readonly Route[] = [
  defineRoute({
    id: 'form_submissions.create',
    method: 'POST',
    path: '/api/form_submissions',
    summary: 'Submits a form',
    description:
      'Answers are checked by the engine that renders the form; answers to hidden questions are dropped.',
    tag,
    access: 'editor',
    invalid: INVALID_SUBMISSION,
    errors: [FORM_NOT_FOUND, FORBIDDEN, RATE_LIMITED],
    body: SubmissionBody,
    reply: Type.Object({ submission_id: Type.String() }),
    // The thread of the full model may check the answers.
    prepare: (ctx, { body }) => prepareSubmission(ctx, body.form_code, body),
    oneStatement: true,
    write: async (ctx, _input, checked) => ({ submission_id: await storeSubmission(ctx, checked) }),
  }),
  defineRoute({
    id: 'form_submissions.list',
    method: 'POST',
    path: '/api/form_submissions/list',
    summary: 'Lists submissions, newest first',
    description:
      'Filters: form_code, email_address, created_at, business_unit. Operations: eq, ne, like, gt, gte, lt, lte, in, between.',
    tag,
    access: 'member',
    body: Type.Object({ page: Page, limit: Limit, filters: Filters }),
    reply: listReply(Submission),
    handler: async (ctx, { body }) => listSubmissions(ctx.db, body),
  }),
  defineRoute({
    id: 'form_submissions.get',
    method: 'GET',
    path: '/api/form_submissions/{id}',
    summary: 'Reads a submission',
    tag,
    access: 'member',
    errors: [NOT_FOUND],
    params: Type.Object({ id: Type.String() }),
    reply: Submission,
    handler: async (ctx, { params }) => {
      const submission = await findSubmission(ctx.db, params.id);
      if (submission === null) throw new AppError(NOT_FOUND);
      return submission;
    },
  }),
];
