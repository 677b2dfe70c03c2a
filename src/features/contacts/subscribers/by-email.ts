/** Subscribers by address, for clients without ids (docs/specification/subscribers.md#by-address). */
import Type, { type Static } from 'typebox';
import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../../../errors/app-error.ts';
import { NOT_FOUND, VERSION_CONFLICT } from '../../../errors/platform-errors.ts';
import { check } from '../../../http/body-checks.ts';
import { CONTENT_BODY_BYTES } from '../../../http/body-limit.ts';
import type { MemberContext } from '../../../http/context.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { isAddress, localPartOf, normalizeAddress, sendableAddress } from '../../../mail/address.ts';
import { columnsOf, type OwnerOption, type VersionOption } from '../../../resources/body.ts';
import { ownerOfNew } from '../../../resources/ownership.ts';
import { changeRecord, createRecord } from '../../../resources/records.ts';
import { createErrors, optionsOf } from '../../../resources/route-parts.ts';
import { keptMembers, readForUpdate } from '../../../resources/updates.ts';
import { DUPLICATE_EMAIL, INVALID_SUBSCRIBER, invalidSubscriber } from './errors.ts';
import { findSubscriberByAddress } from './queries.ts';
import { type SubscriberReplace, subscribers } from './resource.ts';
import { newSubscriberColumns, replacedSubscriberColumns } from './service.ts';

type ByEmailBody = Partial<SubscriberReplace> & OwnerOption & VersionOption;

const { required: _required, ...members } = Object(subscribers.replaceBody);
/** Body of a replace without required members. */
const ByEmailBody = Type.Unsafe<ByEmailBody>({ ...members, title: 'SubscriberByEmail' });

const Params = Type.Object({
  email: Type.String({ description: 'Email address.' }),
});
const Reply = Type.Object(
  {
    id: Type.String(),
    created: Type.Boolean({ description: 'False if an existing subscriber was updated.' }),
  },
  { title: 'SubscriberByEmailReply' },
);
type Reply = Static<typeof Reply>;

/** `PUT /api/subscribers/by-email/{email}`: creates the subscriber of an address in a business unit, or updates it. */
export const byEmailRoute: Route = defineRoute({
  id: 'subscribers.put_by_email',
  tag: 'Subscribers',
  method: 'PUT',
  path: '/api/subscribers/by-email/{email}',
  summary: 'Creates or updates the subscriber with this address',
  description:
    'All fields are optional. By default a new subscriber is active and in no list, and its `first_name` is the local part of the address.',
  access: 'editor',
  invalid: INVALID_SUBSCRIBER,
  errors: [NOT_FOUND, ...createErrors(subscribers), VERSION_CONFLICT, DUPLICATE_EMAIL],
  params: Params,
  body: ByEmailBody,
  maxBodyBytes: CONTENT_BODY_BYTES,
  checks: [
    check<ByEmailBody>(['active', 'inactive_reason'], ({ active, inactive_reason }) =>
      active !== false || inactive_reason?.trim()
        ? []
        : [{ field: 'inactive_reason', message: 'is required when active is false' }],
    ),
  ],
  reply: Reply,
  updates: {
    current: async (ctx, { params, body }) => {
      const id = await findByEmail(ctx, params.email, body);
      return id === null ? null : readForUpdate(ctx, subscribers, id);
    },
    keeps: keptMembers(subscribers),
    unchanged: () => ({ created: false }),
  },
  write: async (ctx, { params, body }) => {
    requireSameAddress(params.email, body.email);
    const id = await findByEmail(ctx, params.email, body);
    return id === null ? create(ctx, params.email, body) : update(ctx, id, body);
  },
});

/**
 * Finds the id of the subscriber with an address in the unit of the request; null if none. @throws AppError FORBIDDEN.
 */
async function findByEmail(
  { db, caller }: MemberContext,
  email: string,
  body: unknown,
): Promise<string | null> {
  const { businessUnit } = optionsOf(subscribers, body);
  const ownerId = ownerOfNew({ kind: 'member', caller }, undefined, businessUnit);
  return findSubscriberByAddress(db, ownerId, normalizeAddress(email));
}

async function create(ctx: MemberContext, email: string, fields: ByEmailBody): Promise<Reply> {
  const address = sendableAddress(fields.email ?? email);
  const body: SubscriberReplace = {
    active: true,
    lists: [],
    audiences: [],
    ...fields,
    email: address,
    first_name: fields.first_name ?? localPartOf(address),
  };
  const id = uuidv7();
  try {
    const columns = {
      ...columnsOf(subscribers.fields, 'create', body),
      ...(await newSubscriberColumns(ctx, body, id)),
    };
    await createRecord(ctx, subscribers, columns, { key: id, ...optionsOf(subscribers, body) });
  } catch (error) {
    // Another request has just created the subscriber: a retry updates it.
    if (error instanceof AppError && error.definition === DUPLICATE_EMAIL)
      throw new AppError(VERSION_CONFLICT, { cause: error });
    throw error;
  }
  return { id, created: true };
}

async function update(ctx: MemberContext, id: string, body: ByEmailBody): Promise<Reply> {
  // The subscriber was created after the body was completed: a retry completes it with the stored values.
  if (!isComplete(body)) throw new AppError(VERSION_CONFLICT);
  const bodyColumns = columnsOf(subscribers.fields, 'replace', body);
  await changeRecord(ctx, subscribers, id, optionsOf(subscribers, body), async (current) => ({
    ...bodyColumns,
    ...(await replacedSubscriberColumns(ctx, body, current)),
  }));
  return { id, created: false };
}

function isComplete(body: ByEmailBody): body is SubscriberReplace {
  const { first_name, email, active, lists, audiences } = body;
  return [first_name, email, active, lists, audiences].every((member) => member !== undefined);
}

/** Checks the address of the path and the body. @throws AppError INVALID_SUBSCRIBER. */
function requireSameAddress(email: string, bodyEmail: string | undefined): void {
  if (!isAddress(sendableAddress(email)))
    throw invalidSubscriber([{ field: 'email', message: 'must be a valid email address' }]);
  if (bodyEmail !== undefined && normalizeAddress(bodyEmail) !== normalizeAddress(email))
    throw invalidSubscriber([
      {
        field: 'email',
        message: 'must be the address in the path; use PUT /api/subscribers/{id} to change it',
      },
    ]);
}
