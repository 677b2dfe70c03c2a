import Type from 'typebox';
import { FORBIDDEN, RATE_LIMITED } from '../../errors/platform-errors.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { listRoute } from '../../resources/list-routes.ts';
import { getRoute } from '../../resources/routes.ts';
import { FORM_NOT_FOUND } from '../forms/index.ts';
import { INVALID_SUBMISSION } from './errors.ts';
import { submissions } from './resource.ts';
import { SubmissionBody } from './schema.ts';
import { prepareSubmission, storeSubmission } from './service.ts';

const tag = 'Forms';
const family = { path: '/api/form_submissions', id: 'form_submissions', tag, noun: 'submission' };

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
  listRoute(submissions, family, { requiresFilters: true }),
  getRoute(submissions, family),
];
