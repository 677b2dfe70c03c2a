/** The functions, values and types that other areas use. */
export { createKeyByOperator, issueKey } from './api-keys/index.ts';
export { createDefaultUnit, findUnitId, getDefaultUnitId } from './business-units/index.ts';
export {
  changedFields,
  type Restorer,
  undoByRestoring,
  VersionRecord,
  withNames,
} from './entity-history/index.ts';
export {
  addMember,
  deleteUnusedUsers,
  Email,
  namesOfMembers,
  Password,
  type PreparedUser,
  prepareUser,
  UserName,
  userExists,
} from './memberships/index.ts';
export { requestReset } from './password-resets/index.ts';
export { describeSession, setPasswordByOperator, signInBrowser } from './sessions/index.ts';
