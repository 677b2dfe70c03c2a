import { AppError, defineError, type Issue } from '../../../errors/app-error.ts';

/** A campaign or a campaign email that is not valid in itself (docs/specification/campaigns.md#errors). */
export const INVALID_CAMPAIGN = defineError('INVALID_CAMPAIGN', 400, 'The campaign is not valid.');
/** A campaign cannot be deleted while it has emails to send. */
export const CAMPAIGN_HAS_ACTIVE_EMAILS = defineError(
  'CAMPAIGN_HAS_ACTIVE_EMAILS',
  400,
  'The campaign has emails that are ready, scheduled or being sent. Cancel them first.',
);
/** Unknown campaign. */
export const CAMPAIGN_NOT_FOUND = defineError('CAMPAIGN_NOT_FOUND', 404, 'The campaign does not exist.');
/** Unknown email of this campaign. */
export const EMAIL_NOT_FOUND = defineError('EMAIL_NOT_FOUND', 404, 'The email does not exist.');
/** Codes of campaigns are unique in the tenant. */
export const DUPLICATE_CAMPAIGN_CODE = defineError(
  'DUPLICATE_CAMPAIGN_CODE',
  409,
  'Another campaign has this code.',
);

/** Creates a 400 with the issues of a campaign or an email. */
export function invalidCampaign(issues: readonly Issue[]): AppError {
  return new AppError(INVALID_CAMPAIGN, { issues });
}
