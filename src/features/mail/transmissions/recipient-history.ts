/** History of the messages to one recipient, step by step: answers "why did X not get it?". */

import { AppError } from '../../../errors/app-error.ts';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import { normalizeAddress } from '../../../mail/address.ts';
import { getRecord } from '../../../resources/records.ts';
import { listMessageEvents, type MessageEventRow } from '../email-tracking/index.ts';
import { failureReason, publicStatus } from './message-status.ts';
import { listMessages, type MessageDetails } from './queries.ts';
import type { RecipientHistory, Step } from './recipient-history-schema.ts';
import { transmissionResource } from './resource.ts';

/** Messages to one address in a history: a request may repeat an address. */
const MAX_MESSAGES = 100;

/** Returns the history of a transmission's messages to an address in any spelling. @throws AppError NOT_FOUND. */
export async function getRecipientHistory(
  ctx: MemberContext,
  id: string,
  address: string,
): Promise<RecipientHistory> {
  const head = await getRecord(ctx.db, transmissionResource, id);
  const recipient = normalizeAddress(address);
  const messages = await listMessages(ctx.db, id, { page: 1, limit: MAX_MESSAGES }, recipient);
  if (messages.length === 0) throw new AppError(NOT_FOUND);
  const events = await listMessageEvents(
    ctx.db,
    messages.map((message) => message.id),
  );
  const eventsOf = Map.groupBy(events, (event) => event.message_id);
  const results = messages.map((message) => ({
    message_id: message.id,
    status: publicStatus(message, head),
    error: failureReason(message),
    attempts: message.attempts,
    next_attempt_at: message.state === 'pending' ? message.due_at : null,
    steps: [
      ...columnSteps(message, head.cancelled_at),
      ...(eventsOf.get(message.id) ?? []).flatMap(eventStep),
    ],
  }));
  return { recipient, messages: results };
}

/** Returns the steps recorded in the message's own columns; the steps of its events follow them. */
function columnSteps(message: MessageDetails, cancelledAt: string | null): Step[] {
  const { render_error: renderError, ended_at: endedAt, last_error: error } = message;
  const steps = [step('accepted', message.created_at)];
  if (message.suppressed_by !== null) steps.push(step('suppressed', endedAt, message.suppressed_by));
  else if (cancelledAt !== null) steps.push(step('cancelled', cancelledAt, error));
  if (renderError !== null && renderError.kind !== 'make') {
    const { message: detail, kind: _kind, ...position } = renderError;
    steps.push({ ...step('render_failed', endedAt, detail), ...position });
  } else if (message.rendered_at !== null) steps.push(step('rendered', message.rendered_at));
  if (message.state === 'pending' && message.attempts > 0) steps.push(step('deferred', null, error));
  if (message.sent_at !== null) steps.push(step('handed_over', message.sent_at, message.relay_answer));
  const isRendered = renderError === null || renderError.kind === 'make';
  const isFailed = message.status === 'failed' && isRendered && cancelledAt === null;
  if (isFailed) steps.push(step('failed', endedAt, error));
  return steps;
}

const EVENT_STEPS: Readonly<Record<MessageEventRow['type'], Step['step'] | null>> = {
  // Same as the step `handed_over`.
  delivery: null,
  bounce: 'bounced',
  complaint: 'complained',
  unsubscribe: 'unsubscribed',
  open: 'opened',
  click: 'clicked',
};

function eventStep(event: MessageEventRow): Step[] {
  const name = EVENT_STEPS[event.type];
  if (name === null) return [];
  const detail = event.url ?? event.detail;
  const result = step(name, event.occurred_at, detail);
  return [event.machine_reason === null ? result : { ...result, machine_reason: event.machine_reason }];
}

function step(name: Step['step'], at: string | null, detail: string | null = null): Step {
  return { step: name, at, detail };
}
