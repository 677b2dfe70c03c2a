import { ExtensionPoint } from '../../../extension-point.ts';
import type { MemberContext } from '../../../http/context.ts';
import { refuseUsedForm } from './journeys.ts';
import type { FormRow } from './resource.ts';

/** Deletes data of a form, in the transaction that deletes the form. */
export type DeleteWithForm = (ctx: MemberContext, formCode: string) => Promise<void>;

/** Features with data that belongs to a form. */
export const formDeletion = new ExtensionPoint<DeleteWithForm>();

/** Deletes the data of a deleted form. @throws AppError IN_USE naming the active journeys that use the form. */
export async function afterFormDeletion(ctx: MemberContext, { code }: FormRow): Promise<void> {
  await refuseUsedForm(ctx.platform, ctx.db, code);
  for (const deleteWithForm of formDeletion.of(ctx.platform)) await deleteWithForm(ctx, code);
}
