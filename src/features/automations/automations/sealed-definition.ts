/** Seals the secret headers of a definition before it is stored. */
import { mergeWritten } from '../../../db/written-json.ts';
import { AppError, type Issue } from '../../../errors/app-error.ts';
import { sealHeaders } from '../../../flows/secret-headers.ts';
import type { SecretBox } from '../../../secrets/secret-box.ts';
import { httpRequestAction } from './actions/http-request.ts';
import { INVALID_AUTOMATION } from './errors.ts';
import type { AutomationReplace, AutomationRow } from './resource.ts';
import type { Action } from './schema.ts';

type Body = Pick<AutomationReplace, 'actions' | 'conditionalActions' | 'on_failure'>;
type Columns = Pick<AutomationRow, 'actions' | 'conditional_actions' | 'on_failure'>;

/**
 * Returns the columns of a definition's actions with its secret headers sealed under the automation's id. If an action
 * omits a secret value, it keeps the value of the stored action with the same key, preferably in the same list.
 * @throws AppError INVALID_AUTOMATION naming each header with a missing or invalid value.
 */
export function sealDefinition(
  secrets: SecretBox,
  id: string,
  { actions = [], conditionalActions = [], on_failure = [] }: Body,
  stored: Columns | null,
): Columns {
  const storedLists = listsOf(stored);
  const issues: Issue[] = [];
  const sealAll = (list: readonly Action[], path: string) =>
    list.map((action, index): Action => {
      const { key, actionTypeKey, params = {} } = action;
      const { headers } = params;
      if (actionTypeKey !== httpRequestAction.key || typeof headers !== 'object' || headers === null)
        return action;
      const field = `${path}[${index}].params.headers`;
      const storedValues = storedHeaders(storedLists, path, key);
      const sealed = sealHeaders(headers, { secrets, ownerId: id, stored: storedValues, field });
      issues.push(...sealed.issues);
      return { ...action, params: mergeWritten(params, { headers: sealed.headers }) };
    });
  const sealed = {
    actions: sealAll(actions, 'actions'),
    conditional_actions: conditionalActions.map((group, index) => ({
      ...group,
      actions: sealAll(group.actions, `conditionalActions[${index}].actions`),
    })),
    on_failure: sealAll(on_failure, 'on_failure'),
  };
  if (issues.length > 0) throw new AppError(INVALID_AUTOMATION, { issues });
  return sealed;
}

/** Returns the stored lists of actions by their path in the body. */
function listsOf(stored: Columns | null): ReadonlyMap<string, readonly Action[]> {
  if (stored === null) return new Map();
  const groups = stored.conditional_actions.map(
    (group, index) => [`conditionalActions[${index}].actions`, group.actions] as const,
  );
  return new Map([['actions', stored.actions], ...groups, ['on_failure', stored.on_failure]]);
}

/** Looks in the same list first. Groups may have moved, so otherwise it uses the only action with the key. */
function storedHeaders(lists: ReadonlyMap<string, readonly Action[]>, path: string, key: string): unknown {
  const inSameList = lists.get(path)?.find((action) => action.key === key);
  const all = [...lists.values()].flat().filter((action) => action.key === key);
  return (inSameList ?? (all.length === 1 ? all[0] : undefined))?.params?.headers;
}
