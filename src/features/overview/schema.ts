import Type, { type Static } from 'typebox';
import { nullable } from '../../http/schemas.ts';
import { ATTENTION_REASONS, ATTENTION_TYPES, SEVERITIES } from '../../overview/overview-part.ts';

/** Most items of one kind in a reply; `attention_total` has the number of all. */
export const MAX_PER_SOURCE = 20;

const AttentionItem = Type.Object(
  {
    entity_type: Type.Enum([...ATTENTION_TYPES]),
    key: Type.String({ description: 'Id, address or domain of the item.' }),
    title: Type.String({ description: 'The name; the URL of an `entity_webhook`.' }),
    severity: Type.Enum([...SEVERITIES], {
      description: '`error`: something is lost or does not work. `warning`: it soon may.',
    }),
    reason: Type.Enum([...ATTENTION_REASONS]),
    since: Type.String({ format: 'date-time', description: 'When it began to need attention.' }),
    count: nullable(
      Type.Integer({ description: 'Deliveries, attempts or messages that the reason is about.' }),
    ),
    business_unit: nullable(Type.String({ description: 'Id of the owning unit; null for the tenant.' })),
  },
  { title: 'AttentionItem' },
);

const RunningItem = Type.Object(
  {
    id: Type.String(),
    kind: Type.String({ description: 'Kind of the operation, such as `subscriber_import`.' }),
    title: nullable(Type.String({ description: 'Name of what it works on.' })),
    done: Type.Integer(),
    total: nullable(Type.Integer({ description: 'Null while it is unknown.' })),
    started_at: Type.String({ format: 'date-time' }),
  },
  { title: 'RunningItem' },
);

const TodayFigure = Type.Object(
  {
    value: Type.Integer({ description: "Since midnight in the tenant's time zone." }),
    usual: Type.Array(Type.Integer(), {
      maxItems: 7,
      description: 'The previous days, newest first, each until the same time of day.',
    }),
  },
  { title: 'TodayFigure' },
);

/** Response: items that need attention, running work, and figures of today. */
export const Overview = Type.Object(
  {
    attention: Type.Array(AttentionItem, {
      description: `Errors first, each the most recent first; at most ${MAX_PER_SOURCE} of a kind.`,
    }),
    attention_total: Type.Integer({ description: 'Number of all items that need attention.' }),
    running: Type.Array(RunningItem),
    today: Type.Record(Type.String(), TodayFigure, { description: 'Figures by name.' }),
    setup: Type.Record(Type.String(), Type.Boolean(), {
      description: 'First steps of a tenant, true if done; only for owners.',
    }),
  },
  { title: 'Overview' },
);
/** Response: items that need attention, running work, and figures of today. */
export type Overview = Static<typeof Overview>;
