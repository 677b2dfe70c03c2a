import Type, { type Static } from 'typebox';
import { nullable } from '../../../http/schemas.ts';
import { MAX_HEADER_TEXT } from '../../../mail/message.ts';
import { listParameters } from '../../../resources/list-queries.ts';
import { listPage, orderedPage, type PageReply, pageOptions } from '../../../resources/paging.ts';

/** Time zones in which a transmission can be scheduled (docs/specification/transmissions.md#options). */
const ZONES = ['America/Sao_Paulo', 'Australia/Brisbane', 'Australia/Sydney', 'UTC'] as const;

/** The most recipients of one transmission (docs/specification/transmissions.md#limits). */
export const MAX_RECIPIENTS = 5000;
const TAGS_PER_RECIPIENT = 10;

const Time = Type.String({ format: 'date-time' });

const OptionalText = (description: string) => Type.Optional(Type.String({ description }));
const OptionalFlag = (description: string) => Type.Optional(Type.Boolean({ description }));

/** Any JSON object, stored unchanged. */
const FreeObject = (description: string) => Type.Object({}, { additionalProperties: true, description });

const OwnOfAsset = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 255, description }));

const Attachment = Type.Object(
  {
    name: OwnOfAsset("Required without `asset_id`. Default: the asset's."),
    type: OwnOfAsset(
      "Media type such as `application/pdf`. Required without `asset_id`. Default: the asset's.",
    ),
    url: Type.Optional(
      Type.String({
        maxLength: 2048,
        description:
          'Fetched once per transmission when sending, up to 3 attempts. Asset URLs are read from storage.',
      }),
    ),
    data: OptionalText('Base64.'),
    asset_id: Type.Optional(Type.String({ format: 'uuid', description: 'An asset of the tenant.' })),
  },
  { title: 'TransmissionAttachment', description: 'Exactly one of `url`, `data` and `asset_id`.' },
);

/** A display name; longer ones cannot be sent. */
const Name = Type.String({ maxLength: MAX_HEADER_TEXT });

const Sender = Type.Union(
  [
    Type.String({ maxLength: MAX_HEADER_TEXT }),
    Type.Object({ email: Type.String(), name: Type.Optional(Name) }, { title: 'TransmissionSender' }),
  ],
  { description: 'Sender: `ada@example.com`, `Ada <ada@example.com>` or `{email, name}`.' },
);

/** Content of a transmission. */
export const Content = Type.Object(
  {
    template_id: OptionalText(
      'The id of a template. The version that is active at acceptance is sent, even if the sending is scheduled.',
    ),
    from: Type.Optional(Sender),
    subject: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_HEADER_TEXT,
        description: 'Subject of the message; at most 65,536 characters when rendered.',
      }),
    ),
    html: OptionalText('HTML of the message.'),
    text: OptionalText('Default: derived from the HTML.'),
    reply_to: Type.Optional(Type.String()),
    attachments: Type.Optional(
      Type.Array(Attachment, { maxItems: 50, description: "In addition to the template's." }),
    ),
  },
  { title: 'TransmissionContent', description: 'Either `template_id`, or `from`, `subject` and `html`.' },
);

const Options = Type.Object(
  {
    transactional: Type.Boolean({
      description: 'Transactional mail ignores unsubscribes, has no unsubscribe headers and goes first.',
    }),
    scheduled_time: Type.Optional(
      Type.Object(
        {
          date: Type.String({
            description:
              'Local time `YYYY-MM-DDTHH:mm[:ss[.SSS]]`; absolute with `Z` or an offset. At clock changes a skipped time moves forward, a repeated one is the first.',
          }),
          timezone: Type.Enum([...ZONES]),
        },
        { title: 'ScheduledTime' },
      ),
    ),
    open_tracking: OptionalFlag("Default: the template's, else false."),
    click_tracking: OptionalFlag("Default: the template's, else false."),
    initial_open: OptionalFlag(
      'Place the pixel at the top instead of the end; requires open tracking. Default: false.',
    ),
    sandbox: OptionalFlag('Send from the sandbox domain; the sender domain needs no verification.'),
    skip_suppression: OptionalFlag('Send to suppressed addresses too.'),
    ip_pool: Type.Optional(Type.String({ maxLength: 255, description: 'Stored only.' })),
    inline_css: OptionalFlag('Inline style elements as style attributes. Default: false.'),
    perform_substitutions: OptionalFlag('False: send content verbatim; inline content only. Default: true.'),
  },
  { title: 'TransmissionOptions' },
);

const Recipient = Type.Object(
  {
    address: Type.Union([
      Type.String(),
      Type.Object(
        {
          email: Type.String(),
          name: Type.Optional(Name),
          header_to: OptionalText('Visible To header; mail goes to `email`.'),
        },
        { title: 'RecipientAddress' },
      ),
    ]),
    tags: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: TAGS_PER_RECIPIENT }),
    ),
    metadata: Type.Optional(FreeObject("At most 10 KB of JSON; overrides the transmission's.")),
    substitution_data: Type.Optional(FreeObject("At most 100 KB of JSON; overrides the transmission's.")),
  },
  { title: 'TransmissionRecipientInput' },
);

/** The body of a create. Limits in bytes are checked separately, because a schema counts characters. */
export const TransmissionCreate = Type.Object(
  {
    options: Options,
    recipients: Type.Array(Recipient, { maxItems: MAX_RECIPIENTS }),
    content: Content,
    campaign_id: OptionalText('A label of at most 64 bytes.'),
    campaign_code: OptionalText('Alias of `campaign_id`.'),
    description: OptionalText('At most 1024 bytes.'),
    metadata: Type.Optional(
      FreeObject('For templates (lowest precedence) and event webhooks. At most 10 KB of JSON.'),
    ),
    substitution_data: Type.Optional(FreeObject('For templates. At most 100 KB of JSON.')),
    return_path: OptionalText(
      'Sets domain and local-part prefix of envelope senders. Its domain needs a valid CNAME.',
    ),
  },
  { title: 'TransmissionCreate' },
);
/** A request to send mail. */
export type TransmissionCreate = Static<typeof TransmissionCreate>;

/** Reply to a create. */
export const TransmissionCreated = Type.Object(
  { transactionId: Type.String() },
  { title: 'TransmissionCreated' },
);

/** State of a transmission. */
export const TransmissionState = Type.Enum([
  'scheduled',
  'generating',
  'sending',
  'completed',
  'cancelled',
  'failed',
]);
/** The state of a transmission. */
export type TransmissionState = Static<typeof TransmissionState>;

const Count = (description: string) => Type.Integer({ description });

/** A transmission with the counts of its messages. */
export const Transmission = Type.Object(
  {
    id: Type.String(),
    state: TransmissionState,
    scheduled_at: nullable(Time),
    created_at: Time,
    description: nullable(Type.String()),
    campaign_id: nullable(Type.String()),
    counts: Type.Object(
      {
        recipients: Type.Integer(),
        queued: Count('Not yet sent, or to be retried.'),
        sent: Count('Handed to the relay; includes bounces and rejections.'),
        failed: Count('Could not be rendered or sent.'),
        suppressed: Type.Integer(),
        delivered: Count('Accepted by the relay and not bounced.'),
        bounced: Type.Integer(),
        opened: Count('Recipients who opened, without machines.'),
        clicked: Count('Recipients who clicked, without machines.'),
      },
      { title: 'TransmissionCounts' },
    ),
  },
  { title: 'Transmission' },
);
/** A transmission with the counts of its messages. */
export type Transmission = Static<typeof Transmission>;

/** Status of a message. */
export const MessageStatus = Type.Enum(['queued', 'sending', 'sent', 'failed', 'suppressed', 'bounced']);
/** The status of a message to one recipient. */
export type MessageStatus = Static<typeof MessageStatus>;

const RecipientStatus = Type.Object(
  {
    recipient: Type.String(),
    status: MessageStatus,
    error: nullable(Type.String({ description: 'Reason of failure or bounce, or suppressing rule.' })),
    message_id: Type.String({ description: 'Value of the header X-Tessera-Message.' }),
    sent_at: nullable(Time),
  },
  { title: 'TransmissionRecipient' },
);
/** A recipient with the status of its message. */
export type RecipientStatus = Static<typeof RecipientStatus>;

/** One page of a transmission's recipients, in the order of the request. */
export const RecipientList = listPage(RecipientStatus);

/** Reply to a cancel. */
export const TransmissionCancelled = Type.Object(
  { id: Type.String(), state: Type.Literal('cancelled') },
  { title: 'TransmissionCancelled' },
);

/** Filters and page of the list of transmissions. */
export const TransmissionQuery = Type.Object({
  state: Type.Optional(TransmissionState),
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'Tag of any recipient.' })),
  from: Type.Optional(Type.String({ description: 'Accepted at or after this ISO 8601 date or time.' })),
  to: Type.Optional(Type.String({ description: 'Accepted at or before.' })),
  ...listParameters,
});
/** Filters and page of the list of transmissions. */
export type TransmissionQuery = Static<typeof TransmissionQuery>;

/** One page of transmissions. */
export const TransmissionList = Type.Unsafe<PageReply<Transmission>>(orderedPage(Transmission));

/** Path of one transmission. */
export const TransmissionParams = Type.Object({ id: Type.String() });
/** Path of one recipient of a transmission. */
export const RecipientParams = Type.Object({ id: Type.String(), recipient: Type.String() });
/** Page of the list of recipients. */
export const RecipientQuery = Type.Object(pageOptions);
/** Page of the list of a transmission's recipients. */
export type RecipientQuery = Static<typeof RecipientQuery>;
