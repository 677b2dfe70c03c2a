import {
  BUSINESS_UNIT_REQUIRED,
  FORBIDDEN,
  INVALID_STATUS,
  NOT_FOUND,
  VALIDATION_ERROR,
} from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { listFacts } from '../../../resources/list-order.ts';
import { ownerOfNew } from '../../../resources/ownership.ts';
import { INVALID_SENDER_IDENTITY } from '../../email-settings/api.ts';
import { TEMPLATE_NOT_FOUND, TEMPLATE_RENDER_ERROR } from '../email-templates/index.ts';
import { createTransmission, prepareTransmission } from './create.ts';
import { getRecipientHistory } from './recipient-history.ts';
import { RecipientHistory } from './recipient-history-schema.ts';
import { TRANSMISSION_CHECKS } from './request-check.ts';
import { transmissionResource } from './resource.ts';
import {
  RecipientList,
  RecipientParams,
  RecipientQuery,
  Transmission,
  TransmissionCancelled,
  TransmissionCreate,
  TransmissionCreated,
  TransmissionList,
  TransmissionParams,
  TransmissionQuery,
} from './schema.ts';
import { cancelTransmission, getTransmission, listRecipients, listTransmissions } from './service.ts';

const tag = 'Transmissions';
/** Enough for 5,000 recipients with substitution data each. */
const MAX_TRANSMISSION_BYTES = 64 * 1024 * 1024;

/** Routes for mail to up to 5,000 recipients and its progress. */
export const routes: readonly Route[] = [
  defineRoute({
    id: 'transmissions.create',
    method: 'POST',
    path: '/api/transmissions',
    summary: 'Sends a stored template or inline content',
    description:
      "Templates read one flat object, merged by top-level key; later ones win: `metadata`, `substitution_data`, then the recipient's `metadata` and `substitution_data`. It also has `address.name`, `address.email` and, unless transactional, `unsubscribe_url`. A render error fails only its recipient.",
    tag,
    access: 'editor',
    errors: [
      BUSINESS_UNIT_REQUIRED,
      INVALID_SENDER_IDENTITY,
      TEMPLATE_NOT_FOUND,
      TEMPLATE_RENDER_ERROR,
      VALIDATION_ERROR,
    ],
    body: TransmissionCreate,
    maxBodyBytes: MAX_TRANSMISSION_BYTES,
    checks: TRANSMISSION_CHECKS,
    reply: TransmissionCreated,
    // Outside the transaction: a rendering thread parses inline content, and hosts of attachments are looked up.
    prepare: (ctx, { body }) => prepareTransmission(ctx, ownerOf(ctx), body),
    write: (ctx, { body }, prepared) => createTransmission(ctx, body, prepared),
  }),
  defineRoute({
    id: 'transmissions.list',
    method: 'GET',
    path: '/api/transmissions',
    summary: 'Lists transmissions, newest first',
    description: '`limit` defaults to 20; `from` and `to` are inclusive.',
    tag,
    access: 'member',
    query: TransmissionQuery,
    ...listFacts(transmissionResource),
    reply: TransmissionList,
    handler: (ctx, { query }) => listTransmissions(ctx, query),
  }),
  defineRoute({
    id: 'transmissions.get',
    method: 'GET',
    path: '/api/transmissions/{id}',
    summary: 'Reads a transmission with its progress',
    tag,
    access: 'member',
    errors: [NOT_FOUND],
    params: TransmissionParams,
    reply: Transmission,
    handler: (ctx, { params }) => getTransmission(ctx, params.id),
  }),
  defineRoute({
    id: 'transmissions.cancel',
    method: 'DELETE',
    path: '/api/transmissions/{id}',
    summary: 'Cancels a scheduled transmission',
    tag,
    access: 'editor',
    errors: [NOT_FOUND, FORBIDDEN, INVALID_STATUS],
    params: TransmissionParams,
    reply: TransmissionCancelled,
    write: (ctx, { params }) => cancelTransmission(ctx, params.id),
  }),
  defineRoute({
    id: 'transmissions.list_recipients',
    method: 'GET',
    path: '/api/transmissions/{id}/recipients',
    summary: 'Lists the status of each recipient, in request order',
    description: '`limit` defaults to 20.',
    tag,
    access: 'member',
    errors: [NOT_FOUND],
    params: TransmissionParams,
    query: RecipientQuery,
    reply: RecipientList,
    handler: (ctx, { params, query }) => listRecipients(ctx, params.id, query),
  }),
  defineRoute({
    id: 'transmissions.tell_story',
    method: 'GET',
    path: '/api/transmissions/{id}/recipients/{recipient}',
    summary: 'Reads the history of the mail to one recipient',
    tag,
    access: 'member',
    errors: [NOT_FOUND],
    params: RecipientParams,
    reply: RecipientHistory,
    handler: (ctx, { params }) => getRecipientHistory(ctx, params.id, params.recipient),
  }),
];

/** Returns the unit that owns the transmission. @throws AppError BUSINESS_UNIT_REQUIRED or FORBIDDEN. */
function ownerOf({ caller }: MemberContext): string {
  return ownerOfNew({ kind: 'member', caller }, undefined, undefined);
}
