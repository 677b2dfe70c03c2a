import type { MemberContext } from '../../../../http/context.ts';
import { addToDeleted } from '../../../../resources/history.ts';
import { deleteRecords } from '../../../../resources/records.ts';
import { sendingFigures, sendings } from '../../../mail/api.ts';
import { NO_FIGURES } from '../figures/metrics.ts';
import { listSendingsOf } from './queries.ts';
import { emails } from './resource.ts';
import { figuresWithRates } from './service.ts';

/** Deletes the emails of a campaign. Their history stays, with the final figures of each. */
export async function deleteEmailsOf(ctx: MemberContext, code: string): Promise<void> {
  const found = await listSendingsOf(ctx.db, code);
  if (found.length === 0) return;
  const jobIds = found.map(({ job_id }) => job_id);
  const figures = await sendingFigures.countSendings(ctx.db, jobIds);
  const failed = await sendings.countUnbuilt(ctx.db, jobIds);
  await deleteRecords(
    ctx,
    emails,
    found.map(({ id }) => id),
  );
  const metrics = new Map(
    found.map(({ id, job_id }) => [
      id,
      figuresWithRates(figures.get(job_id) ?? NO_FIGURES, failed.get(job_id) ?? 0),
    ]),
  );
  await addToDeleted(ctx, 'marketing_email', 'metrics', metrics);
}
