import Type from 'typebox';
import { FORBIDDEN, RATE_LIMITED } from '../../../errors/platform-errors.ts';
import { check } from '../../../http/body-checks.ts';
import { CONTENT_BODY_BYTES } from '../../../http/body-limit.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { isAddress, normalizeAddress } from '../../../mail/address.ts';
import { listRoute } from '../../../resources/list-routes.ts';
import { deleteRoute, getRoute } from '../../../resources/routes.ts';
import { countDown, FORM_NOT_FOUND } from '../forms/index.ts';
import { eraseByAddress } from './erasure.ts';
import { INVALID_SUBMISSION } from './errors.ts';
import { submissions } from './resource.ts';
import { Erased, ErasureBody, SubmissionBody } from './schema.ts';
import { prepareSubmission, storeSubmission } from './service.ts';

const tag = 'Forms';
const family = { path: '/api/form_submissions', id: 'form_submissions', tag, noun: 'submission' };

/** Routes of form submissions (docs/specification/forms.md#submissions). */
export const routes: readonly Route[] = [
  defineRoute({
    id: 'form_submissions.create',
    method: 'POST',
    path: '/api/form_submissions',
    summary: 'Submits a form',
    description:
      'The engine that renders the form validates the answers; answers to hidden questions are dropped.',
    tag,
    access: 'editor',
    invalid: INVALID_SUBMISSION,
    errors: [FORM_NOT_FOUND, FORBIDDEN, RATE_LIMITED],
    body: SubmissionBody,
    maxBodyBytes: CONTENT_BODY_BYTES,
    reply: Type.Object({ submission_id: Type.String() }, { title: 'SubmissionIdReply' }),
    // May wait for the thread of the full model.
    prepare: (ctx, { body }) => prepareSubmission(ctx, body.form_code, body),
    oneStatement: true,
    write: async (ctx, _input, checked) => ({ submission_id: await storeSubmission(ctx, checked) }),
  }),
  listRoute(submissions, family, { requiresFilters: true }),
  getRoute(submissions, family),
  deleteRoute(submissions, family, {
    description: 'Drops its pending deliveries. To remove it from history too, use erase.',
    after: ({ db }, { form_code, owner_bu_id }) => countDown(db, [{ code: form_code, owner_bu_id }]),
  }),
  defineRoute({
    id: 'form_submissions.erase',
    method: 'POST',
    path: '/api/form_submissions/erase',
    needsConfirmation: true,
    summary: 'Erases all submissions of an address, with history and deliveries',
    description:
      'Includes deleted submissions. Covers every unit in which the caller is an admin; for owners also archived units. Irreversible.',
    tag,
    access: 'admin',
    body: ErasureBody,
    checks: [
      check(['email_address'], ({ email_address }) =>
        isAddress(normalizeAddress(email_address))
          ? []
          : [{ field: 'email_address', message: 'must be a valid email address' }],
      ),
    ],
    reply: Erased,
    handler: (ctx, { body }) => eraseByAddress(ctx, body.email_address),
  }),
];
