/** Bodies and replies of simulations. */
import Type, { type Static } from 'typebox';
import { nullable } from '../../../http/schemas.ts';
import { AWAITED_TYPES, MAX_SECONDS, Status } from '../schema.ts';

/** A subscriber that exists only in a simulation. */
const SimulatedSubscriberBody = Type.Object(
  {
    first_name: Type.Optional(Type.String()),
    last_name: Type.Optional(nullable(Type.String())),
    email: Type.Optional(Type.String()),
    active: Type.Optional(Type.Boolean()),
    lists: Type.Optional(Type.Array(Type.String(), { maxItems: 1000 })),
    audiences: Type.Optional(Type.Array(Type.String(), { maxItems: 1000 })),
    additional_fields_data: Type.Optional(
      nullable(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]))),
    ),
    subscription_updates: Type.Optional(
      Type.Array(
        Type.Object(
          { subscription_type_id: Type.String(), subscribe: Type.Boolean() },
          { title: 'SubscriptionChange' },
        ),
        {
          maxItems: 1000,
        },
      ),
    ),
  },
  { title: 'SimulatedSubscriber', description: 'Fictional subscriber; missing fields get sample values.' },
);
/** A subscriber that exists only in a simulation. */
export type SimulatedSubscriberBody = Static<typeof SimulatedSubscriberBody>;

/** Input of a simulation. */
export const SimulateBody = Type.Object(
  {
    subscriber_id: Type.Optional(Type.String()),
    subscriber: Type.Optional(SimulatedSubscriberBody),
    trigger: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    events: Type.Optional(
      Type.Array(
        Type.Object(
          {
            after_seconds: Type.Number({
              minimum: 0,
              maximum: MAX_SECONDS,
              description: 'Seconds after `start_at`.',
            }),
            type: Type.Enum([...AWAITED_TYPES]),
            step: Type.Optional(
              Type.String({ description: 'Step whose mail the event belongs to. Default: any.' }),
            ),
            form_code: Type.Optional(Type.String()),
          },
          { title: 'SimulatedEvent' },
        ),
        { maxItems: 1000 },
      ),
    ),
    start_at: Type.Optional(Type.String({ description: 'ISO 8601 time. Default: now.' })),
  },
  { title: 'JourneySimulate' },
);
/** A request to simulate a journey. */
export type SimulateBody = Static<typeof SimulateBody>;

/** The result of a simulation. */
export const SimulationReply = Type.Object(
  {
    status: Status,
    finished_at: nullable(Type.String()),
    steps: Type.Array(
      Type.Object(
        {
          step: Type.String(),
          type: Type.String(),
          at: Type.String(),
          outcome: Type.String(),
          error: Type.Optional(Type.String()),
          email: Type.Optional(
            Type.Object({ subject: Type.String(), html: Type.String() }, { title: 'SimulatedEmail' }),
          ),
          request: Type.Optional(
            Type.Object(
              { method: Type.String(), url: Type.String() },
              { title: 'SimulatedRequest', description: 'Request that would be sent.' },
            ),
          ),
        },
        { title: 'SimulatedStep' },
      ),
    ),
  },
  { title: 'JourneySimulation' },
);
/** The steps and outcome of a simulated journey. */
export type SimulationReply = Static<typeof SimulationReply>;
