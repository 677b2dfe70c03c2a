/** Schemas of the history of messages to one address. */
import Type, { type Static } from 'typebox';
import { nullable } from '../../../http/schemas.ts';
import { MessageStatus } from './schema.ts';

const Time = Type.String({ format: 'date-time' });

const Step = Type.Object(
  {
    step: Type.Enum([
      'accepted',
      'suppressed',
      'cancelled',
      'rendered',
      'render_failed',
      'deferred',
      'handed_over',
      'failed',
      'bounced',
      'complained',
      'unsubscribed',
      'opened',
      'clicked',
    ]),
    at: nullable(Time),
    detail: nullable(Type.String({ description: 'Rule, relay response, error or link.' })),
    part: Type.Optional(Type.String({ description: 'Faulty template part: subject, html or text.' })),
    variable: Type.Optional(Type.String()),
    line: Type.Optional(Type.Integer()),
    column: Type.Optional(Type.Integer()),
    machine_reason: Type.Optional(
      Type.String({ description: 'Why this open or click is attributed to a machine.' }),
    ),
  },
  { title: 'RecipientHistoryStep' },
);
/** A step in the history of a message. */
export type Step = Static<typeof Step>;

/** History of a transmission's messages to one address; usually there is one message. */
export const RecipientHistory = Type.Object(
  {
    recipient: Type.String(),
    messages: Type.Array(
      Type.Object(
        {
          message_id: Type.String(),
          status: MessageStatus,
          error: nullable(Type.String()),
          attempts: Type.Integer(),
          next_attempt_at: nullable(Time),
          steps: Type.Array(Step, {
            description: 'In chronological order; at most 1,000 opens, clicks and later events.',
          }),
        },
        { title: 'RecipientHistoryMessage' },
      ),
      { description: 'The first 100.' },
    ),
  },
  { title: 'RecipientHistory' },
);
/** Messages of a transmission to one address, with their events. */
export type RecipientHistory = Static<typeof RecipientHistory>;
