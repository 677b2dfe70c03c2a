/** The functions, values and types that other areas use. */
export { createKeyByOperator, issueKey } from './api-keys/index.ts';
export { createDefaultUnit, findUnitId, getDefaultUnitId } from './business-units/index.ts';
export {
  addMember,
  deleteLonePeople,
  Email,
  hasPerson,
  Password,
  PersonName,
  type PreparedUser,
  prepareUser,
} from './memberships/index.ts';
export { setPasswordByOperator } from './sessions/index.ts';
