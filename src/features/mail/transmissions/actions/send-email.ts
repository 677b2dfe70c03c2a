/**
 * The action `sendEmail` of automations: a transactional transmission (docs/specification/automations.md#action-types).
 */
import Type, { type Static } from 'typebox';
import { invalidRequest } from '../../../../errors/platform-errors.ts';
import { type ActionContext, defineActionType } from '../../../../flows/action-type.ts';
import { runChecks } from '../../../../http/body-checks.ts';
import { sendableAddress } from '../../../../mail/address.ts';
import { defaultUnitOf } from '../../../../tenancy/tenant-row.ts';
import { renderOnce } from '../../email-templates/index.ts';
import { createTransmission, type PreparedTransmission, prepareTransmission } from '../create.ts';
import { TRANSMISSION_CHECKS } from '../request-check.ts';
import { Content, MAX_RECIPIENTS, type TransmissionCreate } from '../schema.ts';

const { template_id, from, subject, html } = Content.properties;

const Params = Type.Object({
  to: Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1, maxItems: MAX_RECIPIENTS })], {
    description: 'One email address, or a list of up to 5,000. Each address receives a separate message.',
  }),
  ...{ template_id, from, subject, html },
  substitution_data: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'Variables for the template. With it, inline content is rendered as a template too; expressions that begin with `trigger` or `actions` are resolved first. Without it, inline content is sent without template rendering.',
      },
    ),
  ),
});
type Params = Static<typeof Params>;

/**
 * Sends a stored template or inline content. When the action succeeds, the mail is queued; its transmission shows the
 * result.
 */
export const sendEmail = defineActionType({
  key: 'sendEmail',
  name: 'Send an email',
  description:
    'Sends transactional email from the Default unit. Content is either `template_id`, or `from`, `subject` and `html`. Result: `{transactionId}`. `GET /api/transmissions/{id}` returns the delivery status.',
  params: Params,
  ownTemplates: ({ substitution_data }) => (substitution_data === undefined ? [] : ['subject', 'html']),
  prepare: (ctx, params) => prepareMail(ctx, params),
  write: (ctx, params, prepared) => createTransmission(ctx, bodyOf(ctx, params), prepared),
  preview: async (ctx, params) => {
    const { content } = await prepareMail(ctx, params);
    const [email = ''] = recipientsOf(params).map(sendableAddress);
    const data = { ...params.substitution_data, address: { name: '', email } };
    const shown = isTemplate(params) ? await renderOnce(ctx, content, data) : content;
    return { transactionId: null, subject: shown.subject, html: shown.html };
  },
});

/** Prepares by the rules of a transmission. @throws AppError like a request to send it. */
async function prepareMail(ctx: ActionContext, params: Params): Promise<PreparedTransmission> {
  const body = bodyOf(ctx, params);
  const issues = runChecks(TRANSMISSION_CHECKS, body, [], ctx.now);
  if (issues.length > 0) throw invalidRequest(issues);
  return prepareTransmission(ctx, await defaultUnitOf(ctx.db), body);
}

function bodyOf({ actor }: ActionContext, params: Params): TransmissionCreate {
  const { to: _to, substitution_data, ...content } = params;
  return {
    options: {
      transactional: true,
      ...(content.template_id === undefined ? { perform_substitutions: isTemplate(params) } : {}),
    },
    recipients: recipientsOf(params).map((address) => ({ address })),
    content,
    description: `Automation ${actor.key}, run ${actor.runId}`,
    ...(substitution_data === undefined ? {} : { substitution_data }),
  };
}

function recipientsOf({ to }: Params): readonly string[] {
  return typeof to === 'string' ? [to] : to;
}

/** Inline content is not a template, as it may contain values of the run. */
function isTemplate({ template_id, substitution_data }: Params): boolean {
  return template_id !== undefined || substitution_data !== undefined;
}
