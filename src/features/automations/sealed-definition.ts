/** Secret headers of a definition on their way into the database. */
import { AppError, type Issue } from '../../errors/app-error.ts';
import { sealHeaders } from '../../flows/secret-headers.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { httpRequestAction } from './actions/http-request.ts';
import { INVALID_AUTOMATION } from './errors.ts';
import type { AutomationReplace, AutomationRow } from './resource.ts';
import type { Action } from './schema.ts';

/**
 * Returns the columns of a definition's actions with its secret headers sealed under the automation's id. An action keeps the
 * secret values it leaves out from the stored action of the same key.
 * @throws AppError INVALID_AUTOMATION naming each header that has no value, or a wrong one.
 */
export function sealDefinition(
  secrets: SecretBox,
  id: string,
  { actions = [], conditionalActions = [] }: Pick<AutomationReplace, 'actions' | 'conditionalActions'>,
  stored: Pick<AutomationRow, 'actions' | 'conditional_actions'> | null,
): Pick<AutomationRow, 'actions' | 'conditional_actions'> {
  const storedActions = [
    ...(stored?.actions ?? []),
    ...(stored?.conditional_actions ?? []).flatMap((group) => group.actions),
  ];
  const storedParams = new Map(storedActions.map(({ key, params }) => [key, params]));
  const issues: Issue[] = [];
  const sealAll = (own: readonly Action[], at: string) =>
    own.map((action, index): Action => {
      const { key, actionTypeKey, params } = action;
      const headers = params?.headers;
      if (actionTypeKey !== httpRequestAction.key || typeof headers !== 'object' || headers === null)
        return action;
      const field = `${at}[${index}].params.headers`;
      const known = storedParams.get(key)?.headers;
      const sealed = sealHeaders({ ...headers }, { secrets, ownerId: id, stored: known, field });
      issues.push(...sealed.issues);
      return { ...action, params: { ...params, headers: sealed.headers } };
    });
  const sealed = {
    actions: sealAll(actions, 'actions'),
    conditional_actions: conditionalActions.map((group, index) => ({
      ...group,
      actions: sealAll(group.actions, `conditionalActions[${index}].actions`),
    })),
  };
  if (issues.length > 0) throw new AppError(INVALID_AUTOMATION, { issues });
  return sealed;
}
